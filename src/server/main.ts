import { openPages } from './runtime/pages';
import { run } from './runtime/run';

await run(openPages);
