import { defineConfig } from 'vitest/config';

/** Three workers for two cores: a test spends a fifth of its time waiting for a browser's frames or for another process. */
const MAX_WORKERS = 3;
const shared = {
  pool: 'forks',
  maxWorkers: MAX_WORKERS,
  // Files that share a worker share its modules: loading them again for each file would take half of the time.
  isolate: false,
  testTimeout: 30_000,
  hookTimeout: 120_000,
  // Errors show up to this many characters of the values, such as every missing file: the end of `npm test` repeats an error without
  // its diff.
  chaiConfig: { truncateThreshold: 2_000 },
} as const;

/** How long `expect.poll` retries, like the tests' other waits. The default of one second is too short on a busy machine. */
const POLL = { timeout: 20_000 };

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'integration',
          // Some tests start a service with its own database, which takes half a minute on a busy machine.
          testTimeout: 120_000,
          expect: { poll: POLL },
          include: ['tests/integration/**/*.test.ts'],
          globalSetup: ['tests/support/database/database-server.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          expect: { poll: POLL },
          globalSetup: ['tests/support/database/database-server.ts'],
        },
      },
    ],
  },
});
