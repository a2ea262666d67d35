import { run } from '../../../src/server/runtime/run';

/** The service as main.ts starts it, without the pages: what `npm run release:keep` keeps. */
await run(async () => null);
