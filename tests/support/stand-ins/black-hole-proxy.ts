import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy that can stop forwarding, like a network that drops packets. */
export interface BlackHoleProxy {
  /** The server's URL through this proxy. */
  url: string;
  /** From now on nothing reaches either side: no data, no FIN and no RST. Connections are still accepted. */
  stopForwarding(): void;
  /** Delivers the data held back since `stopForwarding`, as TCP does when a network recovers. */
  resumeForwarding(): void;
  /** Closes every connection and accepts no more. */
  remove(): Promise<void>;
}

export async function startBlackHoleProxy(serverUrl: string): Promise<BlackHoleProxy> {
  const targetUrl = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isStopped = false;
  const server = createServer((client) => {
    const upstream = connect({ host: targetUrl.hostname, port: Number(targetUrl.port) });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      // pause() must be able to stop a flowing socket; pipe() would resume it.
      from.on('data', (chunk) => to.write(chunk));
      if (isStopped) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    stopForwarding() {
      isStopped = true;
      for (const socket of sockets) socket.pause();
    },
    resumeForwarding() {
      isStopped = false;
      for (const socket of sockets) socket.resume();
    },
    async remove() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
