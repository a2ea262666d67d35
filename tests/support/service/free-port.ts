import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** The first port that the system gives to outgoing connections. */
function firstOutgoing(): number {
  try {
    return Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
  } catch {
    return 32_768; // Not Linux: most systems begin later.
  }
}

const LOWEST = 10_000;
const HIGHEST = Math.max(LOWEST + 1_000, firstOutgoing()) - 1;

/**
 * Returns a TCP port of 127.0.0.1 that is free now, for a service whose URL must be known before it starts, or to which nobody
 * answers. A port that the system chooses could become somebody's outgoing connection before the service listens: this one is
 * below those, and by chance, so that two tests hardly ever take the same.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST + 1));
    const server = createServer();
    const listening = once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.listen(port, '127.0.0.1');
    if (!(await listening)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
