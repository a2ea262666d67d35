import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { createSignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';
import { waitUntilRefused } from '../../../support/service/wait-until-refused';

/** How long nginx's and AWS's load balancers keep an idle connection. */
const LOAD_BALANCER_TIMEOUT_SECONDS = 60;
const PRODUCT_COUNT = 100_000;

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** Sends a request on a connection that the client keeps open. Does not read the body of the response. */
async function request(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const clientRequest = get(url, { agent, headers });
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  return response;
}

/** Adds products whose list is larger than what the system buffers for a client that does not read. */
async function addProducts({ database }: TestService): Promise<void> {
  await database.query(`
    WITH category AS (INSERT INTO categories (name, position) VALUES ('Bricks', 1000) RETURNING id)
    INSERT INTO products (code, category_id, name)
    SELECT lpad(number::text, 100, 'B'), category.id, repeat('x', 100)
      FROM category, generate_series(1, ${PRODUCT_COUNT}) AS number`);
}

it('responses promise to keep an idle connection longer than load balancers do', async () => {
  const service = await startTestService();
  const response = await request(`${service.url}/healthz`);
  await text(response);
  await service.close();
  const [, seconds] = /^timeout=(\d+)$/.exec(String(response.headers['keep-alive'])) ?? [];
  expect(Number(seconds)).toBeGreaterThan(LOAD_BALANCER_TIMEOUT_SECONDS);
});

describe('a shutdown', () => {
  it('waits for slow clients to receive their whole responses, but not for connections that they keep open', async () => {
    const service = await startTestService();
    await addProducts(service);
    const viewer = await createSignedInUser(service, 'viewer');
    // One response is complete but unsent when the service stops; the other is still being written.
    const listResponse = await request(`${service.url}/api/legos-sku`, { 'X-Api-Key': service.key });
    const downloadResponse = await request(`${service.url}/api/downloads/products`, {
      Cookie: viewer.cookie,
    });
    const closePromise = service.close();
    await waitUntilRefused(service.url);
    expect((await text(downloadResponse)).trim().split('\r\n')).toHaveLength(1 + PRODUCT_COUNT);
    expect(JSON.parse(await text(listResponse)).length).toBeGreaterThanOrEqual(PRODUCT_COUNT);
    await closePromise;
    expect(service.readLog()).not.toContain('shutdown timed out');
  });

  it('closes the connection of a refused request when its body has arrived', async () => {
    const service = await startTestService();
    const { port, host } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`POST /api/orders/import HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`);
    socket.write('Content-Length: 100\r\n\r\n{');
    const [response] = await once(socket, 'data');
    expect(String(response)).toMatch(/^HTTP\/1\.1 401 /);
    const closePromise = service.close();
    await waitUntilRefused(service.url);
    socket.write(' '.repeat(99));
    await Promise.all([once(socket, 'close'), closePromise]);
    expect(service.readLog()).not.toContain('shutdown timed out');
  });
});
