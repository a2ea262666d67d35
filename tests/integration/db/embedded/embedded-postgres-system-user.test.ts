import { execFile } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createFolder,
  reserveDataDir,
  startInChild,
  stopDatabasesAfterTests,
} from '../../../support/database/embedded-databases';
import {
  canHidePostgresUser,
  launcherWithoutPostgresUser,
} from '../../../support/database/unprivileged-user';
import { killServices, spawnService } from '../../../support/process/service-process';

stopDatabasesAfterTests();
afterEach(killServices);

const LINE =
  'PostgreSQL refuses to run as root, so a system user "postgres" is created for it, without a password or a login shell.';

const probeFolder = mkdtempSync(join(tmpdir(), 'brickdesk-probe-'));
const canHideUser = canHidePostgresUser(probeFolder);
rmdirSync(probeFolder);

describe.runIf(canHideUser)('root, on a machine without the user "postgres",', () => {
  it('is told before that user is created, and once', async () => {
    const dataDir = await reserveDataDir();
    const launcher = launcherWithoutPostgresUser(await createFolder());
    const { child, reportPromise } = await startInChild(dataDir, { launcher });
    expect(await reportPromise).toMatchObject({
      isNewlyStarted: true,
      announcements: [{ line: LINE, hasPostgresUser: false }],
    });
    const accountIn = async (file: string) =>
      /^postgres:.*$/m.exec(await readFile(`/proc/${child.pid}/root/etc/${file}`, 'utf8'))?.[0];
    const { uid } = await stat(join(dataDir, 'postgres'));
    expect(await accountIn('passwd')).toMatch(new RegExp(`^postgres:x:${uid}:\\d+:.*:/usr/sbin/nologin$`));
    expect(await accountIn('shadow')).toMatch(/^postgres:!/); // It has no password.
  });

  it('reads it among the lines of the starting service', async () => {
    const dataDir = await reserveDataDir();
    const launcher = launcherWithoutPostgresUser(await createFolder());
    const service = spawnService({ DATA_DIR: dataDir }, 'server', launcher);
    await service.waitForOutput('Password');
    expect(service.stdout().split('\n')[0]).toBe(LINE);
    expect((await service.stop()).code).toBe(0);
  });

  it('reads it on stderr if a command starts the database', async () => {
    const dataDir = await reserveDataDir();
    const [file, ...args] = launcherWithoutPostgresUser(await createFolder());
    const command = [process.execPath, 'dist/cli.js', 'account', 'create', '--name', 'Shop', '--json'];
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, NODE_ENV: 'production' as const, DATA_DIR: dataDir };
    const { stdout, stderr } = await promisify(execFile)(file!, [...args, ...command], { env });
    expect(stderr).toBe(`${LINE}\n`);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Shop' });
  });
});
