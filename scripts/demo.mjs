// npm run demo: the service with demo data and with stand-ins for carrier and text provider, its data in .demo. The demo
// runs from its sources, since the stand-ins are the tests' own and no part of the build.
import { build } from './build.mjs';

process.env.NODE_ENV = 'production';
try {
  const { register } = await import('tsx/esm/api').catch(() => {
    throw new Error('The demo needs the development packages as well: run "npm ci" without --omit=dev.');
  });
  await build('all', { say: (line) => console.log(line) });
  register();
  await import('./demo/main.ts');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
