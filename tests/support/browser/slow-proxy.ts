import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const PIECE_BYTES = 1024;
const PAUSE_MS = 10;

/** A slow proxy in front of a service. */
export interface SlowProxy {
  url: string;
  close(): Promise<void>;
}

/** Starts a proxy that forwards HTML in small pieces, as a slow network would, and everything else as it arrives. */
export async function startSlowProxy(service: string): Promise<SlowProxy> {
  const server = createServer((incoming, response) => {
    const { 'accept-encoding': encoding, ...headers } = incoming.headers;
    const isPage = headers.accept?.startsWith('text/html');
    const outgoing = request(
      new URL(incoming.url!, service),
      { method: incoming.method!, headers: isPage ? headers : incoming.headers },
      async (upstream) => {
        response.writeHead(upstream.statusCode!, upstream.headers);
        for await (const chunk of upstream as AsyncIterable<Buffer>) {
          const step = isPage ? PIECE_BYTES : chunk.length;
          for (let from = 0; from < chunk.length; from += step) {
            response.write(chunk.subarray(from, from + step));
            if (isPage) await pause(PAUSE_MS);
          }
        }
        response.end();
      },
    );
    outgoing.on('error', (error) => response.destroy(error));
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
