// npm run dev: runs the service from source with the demo's data in .demo and its stand-ins. When you edit sources, pages reload
// and the server restarts. npm run dev -- --own: with your own configuration and data instead, as npm start does.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { build } from './build.mjs';

const require = createRequire(import.meta.url);
await build('client', { log: (line) => console.log(line) });
const programFile = process.argv.includes('--own') ? 'src/server/main.ts' : 'scripts/demo/main.ts';
const child = spawn(
  process.execPath,
  [require.resolve('tsx/cli'), 'watch', '--clear-screen=false', programFile],
  {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
  },
);
// The terminal sends Ctrl-C to the child too. The child stops the server and exits, and then this process exits.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => signal === 'SIGTERM' && child.kill('SIGTERM'));
child.on('close', (code) => {
  process.exitCode = code ?? 0;
});
