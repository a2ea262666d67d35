import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

interface Address {
  host: string;
  port: number;
}

/** A port that is reserved for this service. */
export interface ReservedPort {
  port: number;
  /** Holds the port and closes every connection immediately; pass it to the `listen` of the server that takes over. */
  server: Server;
}

/** Reserves a free TCP port on `host`, for a service that must know its own URL before it can respond. */
export async function reservePort(host: string): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy());
  const listeningPromise = once(server, 'listening');
  server.listen(0, host);
  await listeningPromise.catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, { host, port: 0 });
  });
  return { port: (server.address() as AddressInfo).port, server };
}

/**
 * Returns the error for an address that we cannot listen on. If the cause is known, its message names the setting to change.
 *
 * @param setting.prefix what the names of the settings PORT and HOST begin with
 * @param setting.otherPort a port to suggest
 */
export function listenError(
  error: NodeJS.ErrnoException,
  { host, port }: Address,
  { prefix, otherPort } = { prefix: '', otherPort: 3001 },
): Error {
  const addressText = `${host}:${port}`;
  if (error.code === 'EADDRINUSE') {
    return new Error(
      `${prefix}PORT: ${addressText} is in use by another program. Stop it, or use another port: ${prefix}PORT=${otherPort} npm start`,
    );
  }
  if (error.code === 'EACCES')
    return new Error(`${prefix}PORT: ${addressText} requires root privileges; choose port 1024 or higher.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new Error(`${prefix}HOST: ${host} is not an address of this machine.`);
  }
  return error;
}
