import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster';
import { setLinkState } from './network';

/** A failure and its repair. */
export interface Step {
  name: string;
  /** The longest that writes may go unacknowledged, in seconds. */
  limitSeconds: number;
  /** Breaks something under load. Returns a function that repairs it, to be called once writes are acknowledged again. */
  injectFault(cluster: Cluster): Promise<() => Promise<void>>;
}

export const STEPS: readonly Step[] = [
  {
    name: 'the primary is killed',
    limitSeconds: 60,
    async injectFault(cluster) {
      const primary = await cluster.waitForPrimary();
      await cluster.killDatabase(primary);
      return () => cluster.startDatabase(primary);
    },
  },
  {
    name: "etcd's leader is paused",
    limitSeconds: 60,
    async injectFault(cluster) {
      const leader = await cluster.waitForEtcdLeader();
      leader.signal('etcd', 'SIGSTOP');
      await sleep(30_000);
      return async () => leader.signal('etcd', 'SIGCONT');
    },
  },
  {
    name: "the primary's host is cut off",
    limitSeconds: 90,
    async injectFault(cluster) {
      const primary = await cluster.waitForPrimary();
      setLinkState(primary.name, 'down');
      return async () => setLinkState(primary.name, 'up');
    },
  },
  {
    name: 'the primary is demoted, and one server keeps connecting to it',
    limitSeconds: 60,
    async injectFault(cluster) {
      const primary = await cluster.waitForPrimary();
      const app = cluster.appHosts[1]!;
      await cluster.setHealthCheck(app, primary, 'disable');
      await cluster.demote(primary);
      await sleep(20_000);
      return () => cluster.setHealthCheck(app, primary, 'enable');
    },
  },
  {
    name: 'a server is killed',
    limitSeconds: 15,
    async injectFault(cluster) {
      await cluster.appHosts[0]!.kill('brickdesk');
      return async () => undefined;
    },
  },
];
