import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { csvOf, rowOf, uploadFile } from '../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

const FILE = csvOf([rowOf('1')]);

let service: TestService;

beforeAll(async () => {
  // Longer than any wait of these tests: a file must not stay counted until its body is late.
  service = await startTestService({ BODY_TIMEOUT_MS: '600000' });
});
afterAll(() => service.close());

/** Begins an upload whose body is not complete. Returns once the service is waiting for the rest. */
async function beginUpload(user: SignedInUser): Promise<Socket> {
  const { host, port } = new URL(service.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  const headers = [
    `POST /api/uploads/orders?account_id=${service.shopId}&file_name=a.csv HTTP/1.1`,
    `Host: ${host}`,
    `Origin: ${service.url}`,
    `Cookie: ${user.cookie}`,
    'Content-Type: text/csv',
    `Content-Length: ${FILE.length}`,
    'Expect: 100-continue',
  ];
  socket.write(`${headers.join('\r\n')}\r\n\r\n`);
  const [response] = await once(socket, 'data');
  expect(String(response)).toMatch(/^HTTP\/1\.1 100 /);
  socket.write(FILE.slice(0, 10));
  return socket;
}

it.each([
  ['closes the connection', (socket: Socket) => socket.destroy()],
  ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
  ['ends its side of the connection', (socket: Socket) => socket.end()],
])('a client that %s in the middle of a file is no longer uploading it', async (_, breakOff) => {
  const user = await createSignedInUser(service, 'operator');
  const sockets = [await beginUpload(user), await beginUpload(user)];
  expect((await uploadFile(service, user, FILE)).status).toBe(429);
  for (const socket of sockets) breakOff(socket);
  await expect.poll(async () => (await uploadFile(service, user, FILE)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

it('a client that ends its side of the connection in the middle of a body is told so', async () => {
  const socket = await beginUpload(await createSignedInUser(service, 'operator'));
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.end();
  await once(socket, 'end');
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toContain('"code":"bad_request"');
});
