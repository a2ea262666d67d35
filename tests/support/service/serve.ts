import { run } from '../../../src/server/runtime/run';

/** The service as main.ts starts it, without the pages, which need a build that integration tests do not have. */
await run(async () => null);
