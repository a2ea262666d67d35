import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { probeUpstream } from '../../../src/server/settings/upstream-probe';

const CHUNK = Buffer.alloc(64 * 1024, 'x');
let server: Server;
let sentBytes = 0;

/** Responds with text that does not end until the client leaves. */
beforeAll(async () => {
  server = createServer((_, response) => {
    const send = () => {
      while (!response.destroyed) {
        sentBytes += CHUNK.length;
        if (!response.write(CHUNK)) return;
      }
    };
    response.on('drain', send);
    send();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('a response that does not end is not read further than its beginning', async () => {
  const { port } = server.address() as AddressInfo;
  const { reach } = await probeUpstream({
    name: 'endless',
    url: `http://127.0.0.1:${port}/`,
    method: 'GET',
    headers: {},
  });
  expect(reach).toBe('reachable');
  // What the connection buffers on its way is sent, but not read.
  expect(sentBytes).toBeLessThan(16 * 1024 * 1024);
});
