import { run } from '../../../src/server/runtime/run';

/** The service as main.ts starts it, but without the pages. `npm run release:keep` saves this. */
await run(async () => null);
