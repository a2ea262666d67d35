import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, readVersions, waitUntil } from './cluster';
import { createNetwork } from './network';
import { STEPS, type Step } from './steps';
import { countOrders, Traffic } from './traffic';

const PACKAGES = ['postgresql', 'patroni', 'python3-etcd', 'etcd-server', 'pgbouncer', 'haproxy', 'iproute2'];
/** The environment variable that holds the path of the test's folder. Set only inside the test's namespaces. */
const FOLDER_VARIABLE = 'BRICKDESK_CLUSTER_FOLDER';
/** While this script exits with 101, installing a package does not start the package's services. */
const POLICY_FILE = '/usr/sbin/policy-rc.d';
/** How long the load runs in each phase: before the fault, after writes resume, and after the cluster is healthy again. */
const UNDER_LOAD_MS = 5_000;

function say(line: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);
}

/** Exits with an explanation if the test cannot run on this machine. */
function requireSuitableMachine(): void {
  const fail = (reason: string): never => {
    console.error(`npm run test:cluster ${reason}`);
    process.exit(1);
  };
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version'))
    fail('needs Debian: it installs its PostgreSQL, Patroni, etcd, PgBouncer and haproxy.');
  if (process.getuid?.() !== 0) fail('needs root: it installs packages and creates network namespaces.');
  if (spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'true']).status !== 0)
    fail('needs network namespaces, which this container does not allow.');
}

/** Installs missing packages without starting their services on this machine. */
function installPackages(): void {
  const isInstalled = (name: string) =>
    spawnSync('dpkg', ['-s', name], { encoding: 'utf8' }).stdout.includes('Status: install ok installed');
  const missingPackages = PACKAGES.filter((name) => !isInstalled(name));
  if (missingPackages.length === 0) return;
  say(`installing ${missingPackages.join(', ')}`);
  const mustForbidServices = !existsSync(POLICY_FILE);
  if (mustForbidServices) writeFileSync(POLICY_FILE, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const installArgs = ['install', '-y', '-qq', '--no-install-recommends', ...missingPackages];
    for (const args of [['update', '-qq'], installArgs])
      execFileSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    if (mustForbidServices) rmSync(POLICY_FILE);
  }
}

/** Reruns this script in namespaces of its own, so that it cannot reach the host's network and leaves no process behind. */
function runInNamespaces(): number {
  // The first process of a namespace must reap orphans, which Node does not do: Patroni would wait for a killed PostgreSQL.
  const initCommand = ['bash', '-c', '"$@"; exit $?', 'bash'];
  const rerunCommand = [...initCommand, process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const namespaceFlags = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
  const folder = mkdtempSync('/var/tmp/brickdesk-cluster-');
  chmodSync(folder, 0o755);
  const { status } = spawnSync('unshare', [...namespaceFlags, ...rerunCommand], {
    env: { ...process.env, [FOLDER_VARIABLE]: folder },
    stdio: 'inherit',
  });
  if (status === 0) rmSync(folder, { recursive: true });
  else say(`Logs and data are in ${folder}.`);
  return status ?? 1;
}

/** Runs a step under load. Returns the problems that it found. */
async function runStep(step: Step, cluster: Cluster, traffic: Traffic): Promise<string[]> {
  say(step.name);
  traffic.start();
  await sleep(UNDER_LOAD_MS);
  const repair = await step.injectFault(cluster);
  const brokenAt = Date.now();
  const problems: string[] = [];
  // Requests sent before the failure may still be acknowledged.
  await waitUntil('an acknowledged write', () => traffic.lastWriteAt > brokenAt + 2000, 240_000);
  await sleep(UNDER_LOAD_MS);
  await repair();
  await cluster.waitUntilHealthy();
  await sleep(UNDER_LOAD_MS);
  await traffic.stop();
  const result = await traffic.check(await cluster.findDatabaseUrl());
  problems.push(...result.problems);
  if (result.longestGapSeconds > step.limitSeconds)
    problems.push(
      `no write was acknowledged for ${result.longestGapSeconds} s; the limit is ${step.limitSeconds} s`,
    );
  const { importCount, callbackCount, longestGapSeconds, slowestRefusalSeconds, refusalCountByStatus } =
    result;
  const otherResponseTexts = Object.entries(refusalCountByStatus).map(
    ([status, count]) => `${count} x ${status === '0' ? 'none' : status}`,
  );
  say(
    `  ${problems.length === 0 ? 'good' : 'BAD'}: ${importCount} imports and ${callbackCount} callbacks acknowledged; ` +
      `longest without a write ${longestGapSeconds.toFixed(1)} s; other responses ${otherResponseTexts.join(', ') || 'none'}` +
      `${otherResponseTexts.length > 0 ? `, the slowest after ${slowestRefusalSeconds.toFixed(1)} s` : ''}`,
  );
  for (const problem of problems.slice(0, 20)) say(`    ${problem}`);
  return problems;
}

/** Returns a problem unless every server that was not killed is still running and was started only once. */
function findRestartProblems(cluster: Cluster, killedCount: number): string[] {
  const runningApps = cluster.appHosts.filter(
    (app) => app.isRunning('brickdesk') && app.startCountByProgram.get('brickdesk') === 1,
  );
  return runningApps.length === cluster.appHosts.length - killedCount ? [] : ['a server exited on its own'];
}

/** Starts the cluster and runs every chosen step. Returns the exit status. */
async function runSteps(folder: string): Promise<number> {
  const nameFilter = process.argv[2];
  const steps = STEPS.filter(({ name }) => nameFilter === undefined || name.includes(nameFilter));
  const seed = Number(process.env.CLUSTER_SEED ?? Date.now() % 1_000_000);
  createNetwork();
  const cluster = new Cluster(folder);
  say(
    `Debian's packages: ${JSON.stringify(readVersions())}; PgBouncer pools by ${cluster.poolMode}; seed ${seed}`,
  );
  const { key } = await cluster.start();
  for (const name of ['one', 'two', 'three']) await cluster.runCommand('account', 'create', '--name', name);
  const traffic = new Traffic(cluster.url, key, [1, 1, 2, 3], seed);
  let failedStepCount = 0;
  for (const step of steps) {
    const killedCountBefore = cluster.appHosts.filter((app) => !app.isRunning('brickdesk')).length;
    const problems = await runStep(step, cluster, traffic);
    const killCount = step.name === 'a server is killed' ? 1 : 0;
    problems.push(...findRestartProblems(cluster, killedCountBefore + killCount));
    if (problems.length > 0) failedStepCount++;
  }
  const orderCount = await countOrders(await cluster.findDatabaseUrl());
  const verdict =
    failedStepCount === 0 ? '; nothing acknowledged is missing, and nothing is stored twice' : '';
  say(`${orderCount} orders are stored and ${traffic.callbackCount} callbacks were acknowledged${verdict}`);
  console.log(`${steps.length - failedStepCount} passed, ${failedStepCount} failed`);
  return failedStepCount === 0 ? 0 : 1;
}

/**
 * npm run test:cluster [part of a step's name]: starts the cluster of deploy/cluster in network namespaces of its own and breaks
 * it under load, one step after another.
 */
async function main(): Promise<number> {
  requireSuitableMachine();
  const folder = process.env[FOLDER_VARIABLE];
  if (folder) return runSteps(folder);
  installPackages();
  process.chdir(path.resolve(import.meta.dirname, '../..'));
  return runInNamespaces();
}

process.exit(
  await main().catch((error: unknown) => {
    console.error(error);
    return 1;
  }),
);
