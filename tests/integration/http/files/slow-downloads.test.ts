import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

/** As many days as fill the buffers between the service and a client that does not read. */
const DAY_COUNT = 30_000;
const PATH = '/api/downloads/statistics?kind=listing';

let service: TestService;
let viewer: SignedInUser;
/** Where the service keeps its temporary files during this test. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'brickdesk-downloads-'));
  vi.stubEnv('TMPDIR', folder);
  // One connection for imports and exports.
  service = await startTestService({ IMPORT_POOL_SIZE: '1' });
  viewer = await createSignedInUser(service, 'viewer');
  await service.database.query(
    `INSERT INTO product_daily_statistics (shop_id, listing_id, date, extra)
     SELECT 'fox', n, '2026-08-01', jsonb_build_object('text', repeat('x', 600)) FROM generate_series(1, ${DAY_COUNT}) n`,
  );
});
afterAll(async () => {
  await service.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** Requests a download and reads only the headers of its response. */
async function beginDownload(user: SignedInUser): Promise<IncomingMessage> {
  const request = get(`${service.url}${PATH}`, { headers: { Cookie: user.cookie }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

const countTemporaryFiles = async () => (await readdir(folder)).length;

it('a client that does not read its download holds up neither imports nor other downloads, and can read all of it later', async () => {
  const responses = [await beginDownload(viewer), await beginDownload(viewer)];
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const { json } = await service.importRows([{ receipt_id: 'while downloads wait' }]);
  expect(json.data).toMatchObject({ new_orders: 1 });
  for (const response of responses) {
    const lines = (await text(response)).trimEnd().split('\n');
    expect(lines.length).toBe(DAY_COUNT + 1);
    expect(lines.at(-1)).toContain(`"${DAY_COUNT}",`);
  }
});

it('a user can download four files at a time; a fifth is refused with the advice to wait, and other users are not', async () => {
  const responses = [];
  for (let n = 0; n < 4; n++) responses.push(await beginDownload(viewer));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  const refused = await beginDownload(viewer);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5']);
  expect(JSON.parse(await text(refused))).toMatchObject({
    code: 'rate_limited',
    message: 'You are already downloading 4 files. Wait until one of them is complete, then try again.',
  });
  const otherResponse = await beginDownload(await createSignedInUser(service, 'admin'));
  expect(otherResponse.statusCode).toBe(200);
  for (const response of [...responses, otherResponse]) response.destroy();
  await expect
    .poll(async () => {
      const response = await beginDownload(viewer);
      response.destroy();
      return response.statusCode;
    })
    .toBe(200);
});

it('the temporary file of a download is removed once the client has read it or is gone', async () => {
  await expect.poll(countTemporaryFiles).toBe(0);
  const [read, left] = [await beginDownload(viewer), await beginDownload(viewer)];
  expect(await countTemporaryFiles()).toBe(2);
  await text(read);
  left.destroy();
  await expect.poll(countTemporaryFiles).toBe(0);
});
