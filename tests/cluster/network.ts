import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** The addresses of docs and templates: three database hosts, two with a server each, and the load balancer. */
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

/** A command's first words, to run it on a host. */
export const onHost = (name: string) => ['nsenter', `--net=/run/netns/${name}`];

/**
 * Makes a network namespace for each host and connects it to a bridge in ours, which is the load balancer's. It is none of the
 * machine's own: nothing outside sees these addresses, and all of it is gone with the last process.
 */
export function makeNetwork(): void {
  // Names of namespaces are files: these are seen here alone, and gone afterwards.
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

/** Pulls the cable of a host, or puts it back. Its processes go on. */
export function setCable(name: string, state: 'up' | 'down'): void {
  ip('link', 'set', name, state);
}
