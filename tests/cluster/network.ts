import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** The addresses in the docs and templates: three database hosts, two hosts with a server each, and the load balancer. */
export const ADDRESSES = {
  LB: '10.77.0.1',
  DB1: '10.77.0.11',
  DB2: '10.77.0.12',
  DB3: '10.77.0.13',
  APP1: '10.77.0.21',
  APP2: '10.77.0.22',
} as const;
export const NETWORK = '10.77.0.0/24';

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });

/** The prefix that makes a command run in the network namespace of a host. */
export const hostPrefix = (name: string) => ['nsenter', `--net=/run/netns/${name}`];

/**
 * Creates a network namespace for each host and connects it to a bridge in the trial's own namespace, where the load balancer
 * runs. Nothing outside sees these addresses, and everything disappears with the last process.
 */
export function createNetwork(): void {
  // The names of namespaces are files. With this mount they are visible only inside the trial.
  mkdirSync('/run/netns', { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns']);
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'bridge', 'type', 'bridge');
  ip('address', 'add', `${ADDRESSES.LB}/24`, 'dev', 'bridge');
  ip('link', 'set', 'bridge', 'up');
  for (const [upper, address] of Object.entries(ADDRESSES)) {
    const name = upper.toLowerCase();
    if (name === 'lb') continue;
    ip('netns', 'add', name);
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('link', 'set', name, 'master', 'bridge', 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
    ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    ip('-n', name, 'link', 'set', 'eth0', 'up');
  }
}

/** Unplugs a host from the network, or plugs it in again. Its processes keep running. */
export function setCable(name: string, state: 'up' | 'down'): void {
  ip('link', 'set', name, state);
}
