import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const PART_BYTES = 1024;
const PAUSE_MS = 10;

/** A slow proxy in front of a service. */
export interface SlowProxy {
  url: string;
  close(): Promise<void>;
}

/** Starts a proxy that forwards HTML in small parts, as a slow network would, and everything else as it arrives. */
export async function startSlowProxy(serviceUrl: string): Promise<SlowProxy> {
  const server = createServer((clientRequest, response) => {
    const { 'accept-encoding': encoding, ...headers } = clientRequest.headers;
    const isPage = headers.accept?.startsWith('text/html');
    const upstreamRequest = request(
      new URL(clientRequest.url!, serviceUrl),
      { method: clientRequest.method!, headers: isPage ? headers : clientRequest.headers },
      async (upstreamResponse) => {
        response.writeHead(upstreamResponse.statusCode!, upstreamResponse.headers);
        for await (const chunk of upstreamResponse as AsyncIterable<Buffer>) {
          const partBytes = isPage ? PART_BYTES : chunk.length;
          for (let start = 0; start < chunk.length; start += partBytes) {
            response.write(chunk.subarray(start, start + partBytes));
            if (isPage) await pause(PAUSE_MS);
          }
        }
        response.end();
      },
    );
    upstreamRequest.on('error', (error) => response.destroy(error));
    clientRequest.pipe(upstreamRequest);
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
