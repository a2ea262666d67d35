import { openPages } from './pages';
import { run } from './run';

await run(openPages);
