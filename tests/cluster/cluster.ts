import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Host, type TemplateValues } from './host';
import { ADDRESSES } from './network';

const createSecret = () => randomBytes(24).toString('hex');

/**
 * Calls `poll` until it returns a truthy value, and returns that value. If `poll` throws, calls it again. The error of a timeout
 * contains `description`.
 */
export async function waitUntil<T>(
  description: string,
  poll: () => T | Promise<T>,
  timeoutMs = 120_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  let lastResult: unknown;
  while (Date.now() < deadline) {
    try {
      const result = await poll();
      if (result) return result;
      lastResult = result;
    } catch (error) {
      lastResult = error;
    }
    await sleep(250);
  }
  throw new Error(`Timed out after ${timeoutMs / 1000} s waiting for ${description}: ${String(lastResult)}`);
}

/** A member of the cluster as Patroni describes it. */
interface Member {
  name: string;
  role: string;
  state: string;
}

/** Returns the installed versions of the cluster's programs. */
export function readVersions(): Record<'postgresql' | 'patroni' | 'etcd' | 'pgbouncer' | 'haproxy', string> {
  const matchOutput = (pattern: RegExp, program: string, ...args: string[]) =>
    pattern.exec(execFileSync(program, args, { encoding: 'utf8' }))?.[1] ?? 'unknown';
  return {
    postgresql: matchOutput(/([\d.]+)/, `${findPostgresBin()}/postgres`, '--version'),
    patroni: matchOutput(/([\d.]+)/, 'patroni', '--version'),
    etcd: matchOutput(/etcd Version: ([\d.]+)/, 'etcd', '--version'),
    pgbouncer: matchOutput(/PgBouncer ([\d.]+)/, '/usr/sbin/pgbouncer', '--version'),
    haproxy: matchOutput(/version ([\d.]+)/, '/usr/sbin/haproxy', '-v'),
  };
}

/** Returns the `bin` folder of the newest PostgreSQL that is installed. */
function findPostgresBin(): string {
  const [newestVersion] = readdirSync('/usr/lib/postgresql')
    .map(Number)
    .sort((a, b) => b - a);
  return `/usr/lib/postgresql/${newestVersion}/bin`;
}

/** The cluster of deploy/cluster on simulated hosts. */
export class Cluster {
  readonly databaseHosts: Host[];
  readonly appHosts: Host[];
  readonly balancer: Host;
  readonly url = `http://${ADDRESSES.LB}:8080`;
  readonly #values: TemplateValues;

  constructor(readonly folder: string) {
    const [major = 0, minor = 0] = readVersions().pgbouncer.split('.').map(Number);
    this.#values = {
      POSTGRES_BIN: findPostgresBin(),
      POOL_MODE: major > 1 || minor >= 21 ? 'transaction' : 'session',
      PATRONI_PASSWORD: createSecret(),
      SUPERUSER_PASSWORD: createSecret(),
      REPLICATION_PASSWORD: createSecret(),
      REWIND_PASSWORD: createSecret(),
      DATABASE_PASSWORD: createSecret(),
      SECRET: createSecret(),
    };
    const createHost = (name: string) => new Host(name, path.join(folder, name), this.#values);
    this.databaseHosts = ['db1', 'db2', 'db3'].map(createHost);
    this.appHosts = ['app1', 'app2'].map(createHost);
    this.balancer = createHost('lb');
  }

  get poolMode(): string {
    return this.#values.POOL_MODE;
  }

  /** Starts every program and waits until the service responds. Returns the API key that the first server printed. */
  async start(): Promise<{ key: string }> {
    for (const host of [...this.databaseHosts, ...this.appHosts, this.balancer]) await host.createFolders();
    for (const host of this.databaseHosts)
      host.start('etcd', ['etcd'], await host.readEnvironment('etcd.env'));
    for (const host of this.databaseHosts) await this.startDatabase(host);
    const primary = await this.waitForPrimary();
    await waitUntil('a synchronous standby', async () =>
      (await this.readMembers()).some(({ role }) => role === 'sync_standby'),
    );
    const sqlPath = await primary.writeConfig('database.sql', await primary.render('database.sql'));
    const psqlCommand = [
      'psql',
      '-h',
      path.join(primary.folder, 'run'),
      '-v',
      'ON_ERROR_STOP=1',
      '-d',
      'postgres',
    ];
    primary.run([...psqlCommand, '-v', `password=${this.#values.DATABASE_PASSWORD}`, '-f', sqlPath]);
    for (const host of this.appHosts) {
      const configPath = await host.writeConfig('haproxy.cfg', await host.render('haproxy-database.cfg'));
      host.start('haproxy', ['haproxy', '-db', '-f', configPath]);
    }
    for (const host of this.appHosts) {
      host.start(
        'brickdesk',
        [process.execPath, 'dist/main.js'],
        await host.readEnvironment('brickdesk.env'),
      );
      await waitUntil(`${host.name} to be ready`, async () => {
        const response = await fetch(`http://${host.address}:3000/readyz`, {
          signal: AbortSignal.timeout(3000),
        });
        return response.ok;
      });
    }
    const configPath = await this.balancer.writeConfig(
      'haproxy.cfg',
      await this.balancer.render('haproxy-service.cfg'),
    );
    this.balancer.start('haproxy', ['haproxy', '-db', '-f', configPath]);
    await waitUntil('the load balancer', async () => (await fetch(`${this.url}/readyz`)).ok);
    return { key: /API key {3}(\S+)/.exec(await this.appHosts[0]!.readLog('brickdesk'))![1]! };
  }

  /** Starts PostgreSQL under Patroni, and PgBouncer, on a host. */
  async startDatabase(host: Host): Promise<void> {
    const patroniConfigPath = await host.writeConfig('patroni.yml', await host.render('patroni.yml'));
    host.start('patroni', ['patroni', patroniConfigPath]);
    await host.writeConfig('userlist.txt', `"brickdesk" "${this.#values.DATABASE_PASSWORD}"\n`);
    const iniText = await host.render('pgbouncer.ini');
    const configText =
      this.poolMode === 'transaction' ? iniText.replace(/^; (max_prepared_statements)/m, '$1') : iniText;
    host.start('pgbouncer', ['pgbouncer', await host.writeConfig('pgbouncer.ini', configText)]);
  }

  /** Kills Patroni, PostgreSQL and PgBouncer on a host, without a shutdown. etcd keeps running. */
  async killDatabase(host: Host): Promise<void> {
    const lockFileText = await readFile(path.join(host.folder, 'data/postgresql/postmaster.pid'), 'utf8');
    await host.kill('patroni');
    process.kill(Number.parseInt(lockFileText, 10), 'SIGKILL');
    await host.kill('pgbouncer');
  }

  /** Returns the members that Patroni reports on the first host that responds; none if no host responds. */
  async readMembers(): Promise<Member[]> {
    for (const { address } of this.databaseHosts) {
      const response = await fetch(`http://${address}:8008/cluster`, {
        signal: AbortSignal.timeout(2000),
      }).catch(() => null);
      if (response?.ok) return ((await response.json()) as { members: Member[] }).members;
    }
    return [];
  }

  /** Waits until there is a primary. Returns its host. */
  waitForPrimary(): Promise<Host> {
    return waitUntil('a primary', async () => {
      for (const host of this.databaseHosts) {
        const response = await fetch(`http://${host.address}:8008/primary`, {
          signal: AbortSignal.timeout(2000),
        }).catch(() => null);
        if (response?.ok) return host;
      }
      return null;
    });
  }

  /** Waits until the cluster has a leader and two standbys, one of them synchronous. */
  async waitUntilHealthy(): Promise<void> {
    await waitUntil('a healthy cluster', async () => {
      const members = await this.readMembers();
      const healthyMembers = members.filter(({ state }) => state === 'running' || state === 'streaming');
      const roles = new Set(healthyMembers.map(({ role }) => role));
      return healthyMembers.length === 3 && roles.has('leader') && roles.has('sync_standby');
    });
  }

  async waitForEtcdLeader(): Promise<Host> {
    return waitUntil('an etcd leader', async () => {
      for (const host of this.databaseHosts) {
        const response = await fetch(`http://${host.address}:2379/v3/maintenance/status`, {
          method: 'POST',
          body: '{}',
          signal: AbortSignal.timeout(2000),
        }).catch(() => null);
        if (!response?.ok) continue;
        const { leader, header } = (await response.json()) as {
          leader: string;
          header: { member_id: string };
        };
        if (leader === header.member_id) return host;
      }
      return null;
    });
  }

  /** Switches over to another primary, as before maintenance. */
  async demote(primary: Host): Promise<void> {
    const credentials = Buffer.from(`patroni:${this.#values.PATRONI_PASSWORD}`).toString('base64');
    const response = await fetch(`http://${primary.address}:8008/switchover`, {
      method: 'POST',
      headers: { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ leader: primary.name }),
    });
    if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`);
  }

  /** Stops or resumes the health checks of a database host by the haproxy of `app`. Without them, haproxy assumes no change. */
  setHealthCheck(app: Host, database: Host, state: 'enable' | 'disable'): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(path.join(app.folder, 'run/haproxy.sock'));
      socket.on('error', reject).on('close', () => resolve());
      socket.end(`${state} health database/${database.name}\n`);
      socket.resume();
    });
  }

  /** Returns a URL that connects directly to the primary. */
  async findDatabaseUrl(): Promise<string> {
    const { address } = await this.waitForPrimary();
    return `postgresql://brickdesk:${this.#values.DATABASE_PASSWORD}@${address}:5432/brickdesk`;
  }

  /** Runs a command of the service on the first server's host. Returns its output. */
  async runCommand(...args: string[]): Promise<string> {
    const [app] = this.appHosts;
    return app!.run([process.execPath, 'dist/cli.js', ...args], await app!.readEnvironment('brickdesk.env'));
  }
}
