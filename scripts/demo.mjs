// npm run demo: runs the service with demo data, stored in .demo, and with stand-ins for the carrier and the text provider. It
// runs from source, because the stand-ins belong to the tests and are not part of the build.
import { build } from './build.mjs';

process.env.NODE_ENV = 'production';
try {
  const { register } = await import('tsx/esm/api').catch(() => {
    throw new Error('The demo needs the development packages as well: run "npm ci" without --omit=dev.');
  });
  await build('all', { log: (line) => console.log(line) });
  register();
  await import('./demo/main.ts');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
