import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { countWaitingStatements } from '../../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

const LARGE_FILE = '/api/downloads/statistics?kind=listing';
const SMALL_FILE = '/api/downloads/products';
const LOCK = 'BEGIN; LOCK TABLE product_daily_statistics IN ACCESS EXCLUSIVE MODE';

async function start(importPoolSize: number) {
  const service = await startTestService({ IMPORT_POOL_SIZE: String(importPoolSize) });
  onTestFinished(() => service.close());
  const [greedy, other] = [
    await createSignedInUser(service, 'viewer'),
    await createSignedInUser(service, 'viewer'),
  ];
  const download = async (user: SignedInUser, file: string, method = 'GET') => {
    const response = await fetch(service.url + file, { method, headers: { Cookie: user.cookie } });
    await response.text();
    return response.status;
  };
  /** Requests as many large files as a user may download at the same time, and returns once one waits for a lock. */
  const beginLargeDownloads = async () => {
    const statuses = Array.from({ length: 4 }, () => download(greedy, LARGE_FILE));
    await expect.poll(() => countWaitingStatements(service.database), { timeout: 20_000 }).toBe(1);
    // A fifth is refused once the service has received all four.
    await expect.poll(() => download(greedy, SMALL_FILE, 'HEAD'), { timeout: 20_000 }).toBe(429);
    return statuses;
  };
  const downloadSmallFile = () => download(other, SMALL_FILE);
  /** Requests another user's small file, and returns its response's promise once the service has received the request. */
  const beginSmallDownload = async () => {
    const touchSpy = vi.spyOn(service.app.services.sessionUse, 'touch');
    const status = downloadSmallFile();
    await expect.poll(() => touchSpy.mock.calls).toContainEqual([other.sessionId]);
    return { status };
  };
  return { service, beginLargeDownloads, downloadSmallFile, beginSmallDownload };
}

async function connect({ database }: TestService): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

it("a user's large downloads are generated one after the other, so that another user's file need not wait", async () => {
  const { service, beginLargeDownloads, downloadSmallFile } = await start(4);
  const lockingClient = await connect(service);
  await lockingClient.query(LOCK);
  const largeDownloads = await beginLargeDownloads();
  expect(await downloadSmallFile()).toBe(200);
  expect(await countWaitingStatements(service.database)).toBe(1);
  await lockingClient.query('COMMIT');
  expect(await Promise.all(largeDownloads)).toEqual([200, 200, 200, 200]);
});

it("where only one file is generated at a time, another user's is next, before the rest of the first user's", async () => {
  const { service, beginLargeDownloads, beginSmallDownload } = await start(1);
  const [firstClient, secondClient] = [await connect(service), await connect(service)];
  await firstClient.query(LOCK);
  const largeDownloads = await beginLargeDownloads();
  const smallDownload = await beginSmallDownload();
  // Locks the table again as soon as the first file has been read.
  const secondLock = secondClient.query(LOCK);
  await expect.poll(() => countWaitingStatements(service.database), { timeout: 20_000 }).toBe(2);
  await firstClient.query('COMMIT');
  await secondLock;
  expect(await smallDownload.status).toBe(200);
  await secondClient.query('COMMIT');
  expect(await Promise.all(largeDownloads)).toEqual([200, 200, 200, 200]);
});
