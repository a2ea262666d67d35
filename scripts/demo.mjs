// npm run demo: the service with demo data and stand-ins for the carrier and the text provider, with its data in .demo. The
// demo runs from source, because the stand-ins belong to the tests and are not part of the build.
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
