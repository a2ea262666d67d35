// Runs the built service with its pages for one test file after another, in one process. Each message from the parent process
// stops the running service, if there is one; if the message contains an environment, the service is then started with it.
// Each change prints a line, for worker-service.ts. Only Next's renderer, which has no data of its own, stays open.
import { openPages } from '../../../dist/pages.js';
import { run } from '../../../dist/run.js';

const inheritedEnvironment = { ...process.env };
let environment = {};
let pagesPromise;
let app;
let changeCount = 0;
const reportChange = (result) => process.stdout.write(`change ${++changeCount}: ${JSON.stringify(result)}\n`);

// Each start adds listeners for signals.
process.setMaxListeners(0);
process.on('disconnect', () => process.exit());
process.on('message', async (message) => {
  await app?.stop();
  app = undefined;
  // Not all variables are deleted: Next has set some.
  for (const name of Object.keys(environment)) delete process.env[name];
  environment = message.environment ?? {};
  Object.assign(process.env, inheritedEnvironment, environment);
  if (!message.environment) return reportChange(null);
  await run((config) => (pagesPromise ??= openPages(config)), {
    onReady: async (startedService) => {
      app = startedService.app;
      reportChange({ url: startedService.appUrl, key: startedService.owner?.key });
    },
  });
});
