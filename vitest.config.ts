import { defineConfig } from 'vitest/config';

const shared = { pool: 'forks', maxWorkers: 2, testTimeout: 30_000, hookTimeout: 120_000 } as const;

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'integration',
          // Files that share a worker share its modules: loading the server anew for each took half of the time.
          isolate: false,
          include: ['tests/integration/**/*.test.ts'],
          globalSetup: ['tests/support/database-server.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          maxWorkers: 1,
          testTimeout: 120_000,
        },
      },
    ],
  },
});
