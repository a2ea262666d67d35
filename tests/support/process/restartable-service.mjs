// Runs the built service with its pages for one test file after another, in one process, for shared-service.ts. Each message stops
// the running service, if there is one; if it contains an environment, a service is then started with it. Each message is answered
// with a line that has its id. Next's renderer stays open, with the host and port of the first service.
import { openPages } from '../../../dist/pages.js';
import { run } from '../../../dist/run.js';

const inheritedEnvironment = { ...process.env };
let environment = {};
let pagesPromise;
let app;

async function handleMessage(message) {
  const answer = (result) => process.stdout.write(`message ${message.id}: ${JSON.stringify(result)}\n`);
  await app?.stop();
  app = undefined;
  // Not all variables are deleted: Next has set some.
  for (const name of Object.keys(environment)) delete process.env[name];
  environment = message.environment ?? {};
  Object.assign(process.env, inheritedEnvironment, environment);
  if (!message.environment) return answer(null);
  await run((config) => (pagesPromise ??= openPages(config)), {
    onReady: async (startedService) => {
      app = startedService.app;
      answer({ url: startedService.appUrl, key: startedService.owner?.key });
    },
  });
}

// Each start adds listeners for signals.
process.setMaxListeners(0);
process.on('disconnect', () => process.exit());
// Next only logs unhandled rejections; the tests would wait for an answer.
process.on('message', (message) =>
  handleMessage(message).catch((error) => {
    console.error(error);
    process.exit(1);
  }),
);
