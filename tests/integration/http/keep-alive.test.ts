import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { signedInAs } from '../../support/service/signed-in';
import { startTestService } from '../../support/service/test-service';
import { waitUntilRefused } from '../../support/service/wait-until-refused';

/** How long common load balancers keep an idle connection: 60 seconds for nginx, HAProxy's clients and AWS. */
const LOAD_BALANCER_SECONDS = 60;

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** Sends a request on a connection that the client keeps open. Does not read the body of the response. */
async function request(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const clientRequest = get(url, { agent, headers });
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  return response;
}

it('responses promise to keep an idle connection longer than load balancers do', async () => {
  const service = await startTestService();
  const response = await request(`${service.url}/healthz`);
  await text(response);
  await service.close();
  const [, seconds] = /^timeout=(\d+)$/.exec(String(response.headers['keep-alive'])) ?? [];
  expect(Number(seconds)).toBeGreaterThan(LOAD_BALANCER_SECONDS);
});

it('a stop waits for a download in progress, but not for the client to close the connection', async () => {
  const service = await startTestService();
  // More than what the system buffers for a client that does not read.
  await service.database.query(`
    WITH category AS (INSERT INTO categories (name, position) VALUES ('Bricks', 1000) RETURNING id)
    INSERT INTO products (code, category_id, name)
    SELECT 'B' || number, category.id, repeat('x', 400) FROM category, generate_series(1, 60000) AS number`);
  const viewer = await signedInAs(service, 'viewer');
  const response = await request(`${service.url}/api/downloads/products`, { Cookie: viewer.cookie });
  const close = service.close();
  await waitUntilRefused(service.url);
  expect((await text(response)).trim().split('\r\n')).toHaveLength(1 + 60_000);
  await close;
  expect(service.logged()).not.toContain('shutdown timed out');
});
