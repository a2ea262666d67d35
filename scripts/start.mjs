// npm start: builds what is needed, then runs the service in this process, so that signals reach the server itself.
import { build } from './build.mjs';

process.env.NODE_ENV = 'production';
try {
  await build('all', { log: (line) => console.log(line) });
  await import('../dist/main.js');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
