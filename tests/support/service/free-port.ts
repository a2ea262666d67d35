import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Returns the first port that the system uses for outgoing connections. */
function readFirstOutgoingPort(): number {
  try {
    return Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
  } catch {
    return 32_768; // Not Linux: on most systems the range starts higher.
  }
}

const LOWEST_PORT = 10_000;
const HIGHEST_PORT = Math.max(LOWEST_PORT + 1_000, readFirstOutgoingPort()) - 1;

/**
 * Returns a free TCP port of 127.0.0.1, for a service whose URL must be known before it starts, or for a URL where nothing
 * listens. If the system chose the port, an outgoing connection might take it before the service listens. So this function
 * chooses one below the range of outgoing ports, at random, so that two tests hardly ever get the same one.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT + 1));
    const server = createServer();
    const listenPromise = once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.listen(port, '127.0.0.1');
    if (!(await listenPromise)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
