import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstStartText, startedText } from '../../../src/server/runtime/start-text';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { killServices, startService } from '../../support/process/service-process';

let folder: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder('hints');
});
afterAll(async () => {
  await killServices();
  await removeTemporaryFolder(folder);
});

/** Runs a command line in a shell without the service's environment. */
function runPastedCommand(text: string): Promise<{ code: number | null; output: string }> {
  const { PATH = '', HOME = '' } = process.env;
  // The command that npm runs, without npm.
  const command = text.replace('npm run -s cli --', 'node dist/cli.js');
  const shell = spawn('sh', ['-c', command], { env: { PATH, HOME, NODE_ENV: 'production' } });
  let output = '';
  shell.stdout.on('data', (chunk) => {
    output += chunk;
  });
  shell.stderr.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    shell.on('error', reject).on('close', (code) => resolve({ code, output }));
  });
}

/** Returns the commands in a hint, each as a user would copy it. */
const commandsIn = (text: string) =>
  [...text.matchAll(/^ {4}((?:\S+=.+ )?(?:npm|curl) (?:.*\\\n)?.*)$/gm)].map(([, command]) =>
    command!.trim(),
  );

it('the commands in the hints of a first start work when pasted, even with a custom data folder, port and prefix, and print the issuer of the running service', async () => {
  const dataDir = path.join(folder, "ann's data");
  const service = await startService({ DATA_DIR: dataDir, ADMIN_PREFIX: '/desk' });
  const text = service.stdout();
  expect(text).toContain(`Sign in at ${service.url.replace('127.0.0.1', 'localhost')}/desk`);
  const commands = commandsIn(text);
  expect(commands).toHaveLength(3);
  const outputs: string[] = [];
  for (const command of commands) {
    const { code, output } = await runPastedCommand(command);
    expect(code, `${command}\n${output}`).toBe(0);
    outputs.push(output);
  }
  expect(outputs[1]).toMatch(/37/);
  expect(outputs[2]).toContain('"new_orders":1');
  const [, commandPrefix] = /Commands {2}(.*) --help/.exec(text)!;
  const client = await runPastedCommand(
    `${commandPrefix} oauth-client create --name Wiki --redirect-uri https://wiki.example/callback --json`,
  );
  const discoveryResponse = await fetch(`${service.url}/.well-known/oauth-authorization-server`);
  const { issuer } = (await discoveryResponse.json()) as { issuer: string };
  expect(JSON.parse(client.output).issuer).toBe(issuer);
  await service.stop();
}, 180_000);

describe('the hints', () => {
  const owner = { email: 'ann@example.com', password: 'p', key: 'bdk_x' };
  const service = { appUrl: 'http://localhost:4000', adminPrefix: '/desk' };

  it('are short if commands find the data without a setting', () => {
    const text = firstStartText(owner, {
      ...service,
      commands: { dataDir: undefined, isExternalDatabase: false, appUrl: undefined },
    });
    expect(text).toContain('    npm run -s cli -- account create');
  });

  it('say, if the database is an external one, that commands need its DATABASE_URL and the secret', () => {
    const commands = { dataDir: '/data', isExternalDatabase: true, appUrl: undefined };
    const text = firstStartText(owner, { ...service, commands });
    expect(text).toContain('with the same DATABASE_URL and NEXTAUTH_SECRET');
    expect(text).not.toContain('DATA_DIR');
    expect(startedText({ ...service, version: '1', dataLocation: 'x', commands })).toContain(
      'npm run -s cli -- --help',
    );
  });
});
