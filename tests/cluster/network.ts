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

const runIp = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });

/** Returns the prefix that makes a command run in the network namespace of a host. */
export const namespacePrefix = (name: string) => ['nsenter', `--net=/run/netns/${name}`];

/**
 * Creates a network namespace for each host and connects it to a bridge in the test's own namespace, where the load balancer
 * runs. Nothing outside sees these addresses, and everything disappears with the last process.
 */
export function createNetwork(): void {
  // ip stores the name of each namespace as a file in this folder. The mount hides these files from the rest of the machine.
  mkdirSync('/run/netns', { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns']);
  runIp('link', 'set', 'lo', 'up');
  runIp('link', 'add', 'bridge', 'type', 'bridge');
  runIp('address', 'add', `${ADDRESSES.LB}/24`, 'dev', 'bridge');
  runIp('link', 'set', 'bridge', 'up');
  for (const [upperCaseName, address] of Object.entries(ADDRESSES)) {
    const name = upperCaseName.toLowerCase();
    if (name === 'lb') continue;
    runIp('netns', 'add', name);
    runIp('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    runIp('link', 'set', name, 'master', 'bridge', 'up');
    runIp('-n', name, 'link', 'set', 'lo', 'up');
    runIp('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    runIp('-n', name, 'link', 'set', 'eth0', 'up');
  }
}

/** Unplugs a host from the network, or plugs it in again. Its processes keep running. */
export function setLinkState(name: string, state: 'up' | 'down'): void {
  runIp('link', 'set', name, state);
}
