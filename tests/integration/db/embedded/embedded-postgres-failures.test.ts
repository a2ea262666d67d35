import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EmbeddedDatabaseError, findRunningServer } from '../../../../src/server/db/embedded';
import {
  createFolder,
  reserveDataDir,
  startDatabase,
  stopDatabasesAfterTests,
} from '../../../support/database/embedded-databases';

stopDatabasesAfterTests();

describe('the embedded database reports in one line', () => {
  async function catchFailure(promise: Promise<unknown>): Promise<EmbeddedDatabaseError> {
    const error = await promise.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(EmbeddedDatabaseError);
    if (!(error instanceof EmbeddedDatabaseError)) throw error;
    expect(error.message).not.toContain('\n');
    return error;
  }

  it('that a file is in place of the data folder', async () => {
    const file = join(await createFolder(), 'data');
    await writeFile(file, '');
    expect((await catchFailure(startDatabase(file))).message).toContain(
      `There is a file in place of the data folder ${file}`,
    );
    expect((await catchFailure(startDatabase(join(file, 'data')))).message).toContain(
      'There is a file in place',
    );
  });

  it('that the system allows no folder in place of the data folder', async () => {
    const reason = process.getuid?.() === 0 ? 'created' : 'read or written by this user';
    expect((await catchFailure(startDatabase('/proc/nope/data'))).message).toContain(
      `The data folder /proc/nope/data cannot be ${reason}`,
    );
  });

  it('that the cluster was created by another major version', async () => {
    const dataDir = await reserveDataDir();
    await (await startDatabase(dataDir)).stop();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
    expect((await catchFailure(startDatabase(dataDir))).message).toContain('was created by PostgreSQL 15');
  });

  it('that a folder with other contents is in place of the cluster', async () => {
    const dataDir = await reserveDataDir();
    await mkdir(join(dataDir, 'postgres', 'photos'), { recursive: true });
    expect((await catchFailure(startDatabase(dataDir))).message).toContain('is not a PostgreSQL database');
  });

  it('that the password is wrong or its file is missing', async () => {
    const dataDir = await reserveDataDir();
    const database = await startDatabase(dataDir);
    const passwordFile = join(dataDir, 'database-password');
    const password = await readFile(passwordFile);
    await writeFile(passwordFile, 'wrong');
    expect((await catchFailure(startDatabase(dataDir))).message).toContain(
      `The password in ${passwordFile} is not that of`,
    );
    await rm(passwordFile);
    expect((await catchFailure(findRunningServer(dataDir))).message).toContain(
      `cannot be read from ${passwordFile} (ENOENT)`,
    );
    await writeFile(passwordFile, password, { mode: 0o600 });
    await database.stop();
  });

  it('that PostgreSQL did not start, with the output of PostgreSQL as detail', async () => {
    const dataDir = await reserveDataDir();
    await (await startDatabase(dataDir)).stop();
    await writeFile(join(dataDir, 'postgres', 'postgresql.conf'), 'max_connections = many\n');
    const error = await catchFailure(startDatabase(dataDir));
    expect(error.message).toContain(`PostgreSQL did not start in ${join(dataDir, 'postgres')}`);
    expect(error.detail).toContain('max_connections');
  });
});
