import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface ConnectionState {
  pendingCount: number;
  /** How many bytes had been received when the last request ended. If more have arrived since, another one has begun. */
  bytesReadWhenIdle: number;
}

/**
 * The open connections of a server. Node's own `closeIdleConnections` is not enough for a stop: it cuts off responses that are
 * complete but not yet fully sent, and leaves open the connections that browsers open in advance and have not used yet.
 */
export interface Connections {
  /** Counts a request as pending until its response has been sent and its body has arrived. */
  trackRequest(req: IncomingMessage, res: ServerResponse): void;
  /** Closes every connection on which no request is pending or arriving: now, or as soon as that is so. */
  closeUnusedConnections(): void;
}

/** Tracks the connections of a server from now on. */
export function trackConnections(server: Server): Connections {
  const stateBySocket = new Map<Socket, ConnectionState>();
  let isClosing = false;
  server.on('connection', (socket: Socket) => {
    stateBySocket.set(socket, { pendingCount: 0, bytesReadWhenIdle: 0 });
    socket.once('close', () => stateBySocket.delete(socket));
  });
  const closeIfUnused = (socket: Socket, { pendingCount, bytesReadWhenIdle }: ConnectionState) => {
    if (pendingCount === 0 && socket.bytesRead === bytesReadWhenIdle) socket.destroySoon();
  };
  return {
    trackRequest(req, res) {
      const { socket } = req;
      const state = stateBySocket.get(socket);
      if (!state) return;
      state.pendingCount++;
      const onRequestEnd = () => {
        state.pendingCount--;
        state.bytesReadWhenIdle = socket.bytesRead;
        if (isClosing) closeIfUnused(socket, state);
      };
      res.once('close', () => {
        if (req.complete || req.destroyed) onRequestEnd();
        else req.once('close', onRequestEnd);
      });
    },
    closeUnusedConnections() {
      isClosing = true;
      for (const [socket, state] of stateBySocket) closeIfUnused(socket, state);
    },
  };
}
