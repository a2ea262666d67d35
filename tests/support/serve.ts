import { run } from '../../src/server/runtime/run';

/** The service as main.ts starts it, short of the pages, which need a build that integration tests do not have. */
await run(async () => null);
