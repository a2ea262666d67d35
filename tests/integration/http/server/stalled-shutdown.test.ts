import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startTestService } from '../../../support/service/test-service';

/** Longer than the service waits, while it stops, for requests that it has not read. */
const STALL_MS = 300;

it('a request that was sent before a shutdown is answered even if the process stalls before it can read the request', async () => {
  const service = await startTestService();
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
  });
  // The service has accepted the connection once it has answered.
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => response).toMatch(/^HTTP\/1\.1 200 /);
  response = '';
  const closePromise = once(socket, 'close');
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  const stopPromise = service.close();
  const stallEnd = performance.now() + STALL_MS;
  while (performance.now() < stallEnd);
  await closePromise;
  await stopPromise;
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
});
