// npm run -s cli -- <command>: builds the server if its sources have changed, then runs the command.
import { build } from './build.mjs';

process.env.NODE_ENV = 'production';
try {
  await build('server', { log: (line) => console.error(line) });
  await import('../dist/cli.js');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
