import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMigratedDataDir } from '../../support/database/migrated-data-dir';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { CONTAINER_LAUNCHER, canRunContainers } from '../../support/process/container';
import { killServices, type ServiceProcess, spawnService } from '../../support/process/service-process';

const REFUSAL = 'is in use by a PostgreSQL server that this process cannot see';

let folder: string;
let folderCount = 0;
const makeDataDirPath = () => path.join(folder, String(++folderCount));
const startInContainer = (dataDir: string, program?: readonly string[]) =>
  spawnService({ DATA_DIR: dataDir }, program, CONTAINER_LAUNCHER);

async function waitUntilReady(service: ServiceProcess): Promise<string> {
  await service.waitForOutput('Ctrl-C stops it.');
  return /Service {3}(\S+)/.exec(service.stdout())![1]!.replace('localhost', '127.0.0.1');
}

async function expectReady(url: string): Promise<void> {
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
}

beforeAll(async () => {
  folder = await makeTemporaryFolder('containers');
});
afterEach(killServices);
afterAll(async () => {
  if (folder) await removeTemporaryFolder(folder);
});

describe.skipIf(!canRunContainers())('a data folder that containers share', () => {
  it('has one PostgreSQL: a second service or command is refused and says what to do, and the first keeps its data', async () => {
    const dataDir = makeDataDirPath();
    const service = startInContainer(dataDir);
    const url = await waitUntilReady(service);
    const secondService = startInContainer(dataDir);
    const command = startInContainer(dataDir, ['dist/cli.js', 'account', 'create', '--name', 'Second']);
    for (const refused of [secondService, command]) {
      expect((await refused.endPromise).code).toBe(1);
      expect(refused.stderr()).toContain(REFUSAL);
      expect(refused.stderr()).toContain('docker exec');
    }
    await expectReady(url);
    await service.kill();

    const restartedService = startInContainer(dataDir);
    await expectReady(await waitUntilReady(restartedService));
    expect(restartedService.stdout(), 'the owner is still there').not.toContain('API key');
  });

  it('has one PostgreSQL even if two containers start it at the same time', async () => {
    const dataDir = await createMigratedDataDir(makeDataDirPath());
    const firstStart = startInContainer(dataDir);
    await waitUntilReady(firstStart);
    await firstStart.kill();

    const services = [startInContainer(dataDir), startInContainer(dataDir)];
    const outcomes = await Promise.all(
      services.map((service) =>
        waitUntilReady(service).then(
          () => 'ready',
          () => service.stderr(),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'ready')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.includes(REFUSAL))).toHaveLength(1);
  });
});
