import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Returns a function that closes the connections on which a server has not received anything yet. Browsers open some in advance.
 * Node does not count a connection as idle before its first request, so `closeIdleConnections` leaves them open.
 */
export function silentConnectionCloser(server: Server): () => void {
  const openSockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    openSockets.add(socket);
    socket.once('close', () => openSockets.delete(socket));
  });
  return () => {
    for (const socket of openSockets) if (socket.bytesRead === 0) socket.destroy();
  };
}
