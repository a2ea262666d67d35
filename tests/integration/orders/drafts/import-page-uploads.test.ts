import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { csvOf, uploadFile } from '../../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let user: SignedInUser;
const FILE = csvOf([{ receipt: '1', transaction_id: '1', quantity: 1 }]);

beforeAll(async () => {
  service = await startTestService();
  user = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());

/**
 * Starts an upload and holds back its last byte. `hasResponse` becomes true when a response arrives. A response that arrives while
 * the last byte is held back is a refusal.
 */
async function beginUpload(): Promise<{ upload: ClientRequest; hasResponse: boolean }> {
  const upload = request(`${service.url}/api/uploads/orders?account_id=${service.shopId}&file_name=a.csv`, {
    method: 'POST',
    headers: {
      Cookie: user.cookie,
      Origin: service.url,
      'Content-Type': 'application/octet-stream',
      'Content-Length': Buffer.byteLength(FILE),
      Expect: '100-continue',
    },
  });
  upload.on('error', () => undefined);
  const heldUpload = { upload, hasResponse: false };
  upload.once('response', (response: IncomingMessage) => {
    heldUpload.hasResponse = true;
    response.resume();
  });
  upload.flushHeaders();
  await once(upload, 'continue');
  upload.write(FILE.slice(0, -1));
  return heldUpload;
}

it('a user can upload two files at a time; a third is refused with the advice to wait', async () => {
  let uploads: Awaited<ReturnType<typeof beginUpload>>[] = [];
  const uploadThirdFile = async () => uploadFile(service, user, FILE);
  // If the third upload is admitted first, one of the other two is refused instead. The next attempt replaces the refused one.
  const tryThirdUpload = async () => {
    uploads = uploads.filter(({ hasResponse }) => !hasResponse);
    while (uploads.length < 2) uploads.push(await beginUpload());
    return (await uploadThirdFile()).status;
  };
  await expect.poll(tryThirdUpload).toBe(429);
  const [firstUpload, secondUpload] = uploads.map(({ upload }) => upload) as [ClientRequest, ClientRequest];
  expect((await uploadThirdFile()).json).toMatchObject({
    code: 'rate_limited',
    message: 'You are already uploading 2 files. Wait until one of them has been read, then send this one.',
    reason: { reason: 'file.uploads', values: { count: 2 } },
  });
  const admin = await createSignedInUser(service, 'admin');
  expect((await uploadFile(service, admin, FILE)).status).toBe(200);

  const firstResponsePromise = once(firstUpload, 'response') as Promise<[IncomingMessage]>;
  firstUpload.end(FILE.slice(-1));
  expect((await firstResponsePromise)[0].statusCode).toBe(200);
  secondUpload.destroy();
  await expect.poll(async () => (await uploadThirdFile()).status).toBe(200);
});

it('a GB18030 file from a Chinese version of Excel becomes a draft that names its encoding', async () => {
  const bytes = Buffer.concat([
    Buffer.from(FILE.trimEnd()),
    Buffer.from([0xba, 0xec, 0xc9, 0xab, 0xbb, 0xfd, 0xc4, 0xbe, 10]),
  ]);
  const { status, json } = await uploadFile(service, user, bytes);
  expect([status, json.data.encoding]).toEqual([200, 'gb18030']);
  const { data } = await user.call('imports.draft', { id: json.data.draft_id });
  expect(data.encoding).toBe('gb18030');
});

it('the catalog and the statistics accept a GB18030 file, and refuse a file in an unsupported encoding', async () => {
  const admin = await createSignedInUser(service, 'admin');
  const file = Buffer.from([0x61, 10, 0xba, 0xec, 0xc9, 0xab, 10]).toString('base64');
  const badFile = Buffer.from('a\nM\u00fcller\n', 'latin1').toString('base64');
  for (const procedure of ['catalog.readFile', 'statistics.readFile']) {
    expect((await admin.call(procedure, { file })).data).toEqual({ csv: 'a\n红色\n', encoding: 'gb18030' });
    const { error } = await admin.call(procedure, { file: badFile });
    expect(JSON.stringify(error)).toContain('is not encoded in UTF-8, UTF-16 or GB18030');
  }
});
