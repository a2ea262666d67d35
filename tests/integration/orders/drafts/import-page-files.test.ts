import { promisify } from 'node:util';
import { type AsyncZippable, strToU8, zip } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import type { Reason } from '../../../../src/server/core/errors/reason';
import { sentenceOf } from '../../../../src/server/core/errors/sentence';
import { readSpreadsheet } from '../../../../src/server/core/spreadsheet/spreadsheet';
import { countWaitingStatements } from '../../../support/database/test-database';
import {
  type Cells,
  columnOf,
  commitDraft,
  csvOf,
  exportOf,
  readPreview,
  uploadDraft,
  uploadFile,
} from '../../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrders } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

const MAX_BYTES = 300_000;
let service: TestService;
let user: SignedInUser;

beforeAll(async () => {
  service = await startTestService({ IMPORT_MAX_BODY_BYTES: String(MAX_BYTES), IMPORT_MAX_ROWS: '3000' });
  user = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());

const downloadBadRows = (draftId: string) =>
  fetch(`${service.url}/api/downloads/bad-rows?draft=${draftId}`, { headers: { Cookie: user.cookie } });

const readReceiptIds = async () =>
  (await readStoredOrders(service.database)).map((order) => order.receipt_id);

/** Returns a workbook of a few hundred kilobytes whose sheet unpacks to more than a quarter of a gigabyte. */
function makeZipBomb(): Promise<Uint8Array> {
  const sheet = new Uint8Array(270 * 1024 * 1024);
  const parts: AsyncZippable = {
    'xl/workbook.xml': strToU8('<workbook/>'),
    'xl/worksheets/sheet1.xml': sheet,
  };
  // Asynchronous, because the service in the same process would otherwise close connections that it considers idle.
  return promisify<AsyncZippable, Uint8Array>(zip)(parts);
}

describe('an upload is refused for', () => {
  it.each<[string, string | (() => string | Uint8Array | Promise<Uint8Array>), RegExp]>([
    ['an empty file', '', /is empty/],
    ['a header alone', csvOf([]), /no rows below/],
    ['a text file', 'hello world', /is not the marketplace's "Sold order items" export.*\.csv or \.xlsx/],
    [
      'a workbook that begins with a cover note, without words of the API',
      async () =>
        writeExcelFile([
          ['Orders of May', null, 'See sheet 2'],
          ['by', 'Ann', 'x'],
        ]).toBuffer(),
      /^some file: The first sheet, the only one that is read, is not .* export, whose third column is Buyer\./,
    ],
    ['a PDF', '%PDF-1.7', /is a PDF/],
    ['an old Excel file', () => Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1), /old Excel file/],
    ['a broken workbook', 'PK\u0003\u0004nonsense', /is damaged or incomplete/],
    ['an export of another kind', 'Sale Date,Order ID,Buyer\n1/2/2026,1,Ann\n', /Sold order items/],
    ['a zip bomb', makeZipBomb, /unpacks to more than 256 MiB/],
    [
      'a sheet of formulas without results',
      async () => writeExcelFile([[{ value: 'SUM(1,2)', type: 'Formula' }]]).toBuffer(),
      /formulas without their results/,
    ],
    [
      'more rows than allowed',
      () => csvOf(Array(3_001).fill({ receipt: '1' })),
      /has 3,001 rows; the limit is 3,000/,
    ],
  ])('%s, and leaves no draft', async (_, content, messagePattern) => {
    const file = typeof content === 'function' ? await content() : content;
    const { status, json } = await uploadFile(service, user, file, { name: 'some file' });
    expect([status, json.code]).toEqual([422, 'validation_failed']);
    expect(json.message).toMatch(messagePattern);
    expect((await user.call('imports.drafts')).data).toEqual([]);
  });

  it('a file beyond the limit, with or without a declared length', async () => {
    const file = new Uint8Array(MAX_BYTES + 1).fill(65);
    for (const content of [file, new Blob([file]).stream()]) {
      const { status, json } = await uploadFile(service, user, content);
      expect([status, json.code]).toEqual([413, 'payload_too_large']);
    }
    const { json } = await uploadFile(service, user, new Uint8Array(2 * MAX_BYTES), { name: 'sold.csv' });
    expect(json).toMatchObject({
      message: 'sold.csv is 586 KiB; the limit is 293 KiB. Split it into several files.',
      reason: { reason: 'join.named', values: { name: 'sold.csv', reason: { reason: 'file.tooLarge' } } },
    });
  });

  it('a content type that pages of other sites can send, and for a compressed body', async () => {
    const refusedHeaders: Record<string, string>[] = [
      { 'Content-Type': 'text/plain' },
      { 'Content-Encoding': 'gzip' },
    ];
    for (const headers of refusedHeaders) {
      const { status } = await uploadFile(service, user, csvOf([{ receipt: '1' }]), { headers });
      expect(status).toBe(415);
    }
  });

  it('a shop that does not exist', async () => {
    const { status, json } = await uploadFile(service, user, csvOf([{ receipt: '1' }]), {
      shopId: 4711,
    });
    expect([status, json.errors[0].path]).toEqual([422, 'account_id']);
  });
});

interface RejectedRow {
  line: number;
  receipt_id: string | null;
  problems: { field: string; column: number }[];
}

/** A good row, then a good and a bad row of one order, then a row without an order number. */
const MIXED_ROWS: Cells[] = [
  { receipt: 'good', transaction_id: '1', quantity: 1, sku: '007' },
  { receipt: 'half', transaction_id: '2', quantity: 1 },
  { receipt: 'half', transaction_id: '3', quantity: 'many', zip: '02134' },
  { receipt: '', transaction_id: '4' },
];

it('a bad row holds back its whole order and nothing else', async () => {
  const id = await uploadDraft(service, user, MIXED_ROWS);
  const { entries, counts, total } = await readPreview(user, id, 'rejected');
  expect(counts).toMatchObject({ rows: 4, accepted_rows: 1, bad_rows: 2, held_rows: 1, new_orders: 1 });
  expect(total).toBe(3);
  const rejectedRows = entries.map(({ line, receipt_id, problems }: RejectedRow) => [
    line,
    receipt_id,
    problems.map(({ field, column }) => [field, column]),
  ]);
  expect(rejectedRows).toEqual([
    [3, 'half', []],
    [4, 'half', [['quantity', columnOf('quantity')]]],
    [5, null, [['receipt_id', columnOf('receipt')]]],
  ]);
  const { data } = await commitDraft(user, id);
  expect(data).toMatchObject({ new_orders: 1, held_back: 3 });
  expect(await readReceiptIds()).toEqual(['good']);
  const { data: details } = await user.call('imports.one', { id: data.import_id });
  expect(details.entries.map((issue: Reason) => sentenceOf(issue))).toEqual([
    expect.stringContaining('held back'),
    expect.stringContaining('held back'),
  ]);
  const positions = details.entries.map(({ row, column }: { row: number; column: string }) => [row, column]);
  expect(positions).toEqual([
    [3, 'Quantity'],
    [4, 'Order ID'],
  ]);
});

it('fixed cells are imported, and rows keep the numbers that they have in the file', async () => {
  const id = await uploadDraft(service, user, MIXED_ROWS);
  const cells = [
    { row: 3, column: columnOf('quantity'), value: '5' },
    { row: 4, column: columnOf('receipt'), value: 'fixed' },
  ];
  expect(
    (await user.call('imports.fix', { id, cells: [...cells, { row: 9, column: 0, value: 'x' }] })).error,
  ).toMatchObject({ code: 'validation_failed', problems: [{ path: 'cells.2' }] });
  expect((await user.call('imports.fix', { id, cells })).status).toBe(200);
  expect((await user.call('imports.draft', { id })).data).toMatchObject({
    rows: 4,
    fixed: [
      [3, 3],
      [4, 24],
    ],
  });
  const { counts, entries } = await readPreview(user, id, 'new');
  expect(counts).toMatchObject({ bad_rows: 0, held_rows: 0, new_orders: 2 });
  expect(entries.map(({ line, receipt_id }: Record<string, never>) => [line, receipt_id])).toEqual([
    [3, 'half'],
    [5, 'fixed'],
  ]);
  await commitDraft(user, id);
  expect(await readReceiptIds()).toEqual(['good', 'half', 'fixed']);
});

it('the download of held-back rows has exactly these rows, and can be imported once they are fixed', async () => {
  const longReceiptId = '1912345678901234567';
  const rows: Cells[] = [
    { receipt: 'fine', transaction_id: '1' },
    {
      receipt: longReceiptId,
      transaction_id: '0012',
      quantity: 'x',
      zip: '02134',
      sku: '007',
      title: '=1+1',
    },
    { receipt: longReceiptId, transaction_id: '0013', quantity: 2, price: '4.49', sale_date: '08/22/2026' },
  ];
  const id = await uploadDraft(service, user, rows);
  const response = await downloadBadRows(id);
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="orders-bad-rows-\d{4}-\d\d-\d\d\.xlsx"$/,
  );
  const bytes = new Uint8Array(await response.arrayBuffer());
  const workbook = await readSpreadsheet({ name: 'bad.xlsx', bytes }, { maxBytes: 1_000_000 });
  const textsOf = (sheet: unknown[][]) =>
    sheet.map((row) =>
      row
        .map((cell) => String(cell ?? ''))
        .join('|')
        .replace(/\|+$/, ''),
    );
  const [header, , ...rejectedRows] = exportOf(rows);
  expect(textsOf(workbook.rows)).toEqual(textsOf([header!, ...rejectedRows]));

  const secondDraftId = await uploadDraft(service, user, bytes);
  const { entries } = await readPreview(user, secondDraftId, 'rejected');
  expect(entries[0].problems).toMatchObject([{ address: 'D2', line: 2, field: 'quantity' }]);
  await user.call('imports.fix', { id: secondDraftId, cells: [{ row: 1, column: 3, value: '1' }] });
  await commitDraft(user, secondDraftId);
  const importedOrder = (await readStoredOrders(service.database)).find(
    (order) => order.receipt_id === longReceiptId,
  );
  expect(importedOrder).toMatchObject({
    zip: '02134',
    items: [{ sku: '007', title: '=1+1' }, { price: 4.49 }],
  });
});

it('the download of held-back rows is named after the uploaded file, even if its name is Chinese, and is refused if there are none', async () => {
  const name = "订单 (1)'s.csv";
  const { json } = await uploadFile(service, user, csvOf([{ receipt: 'r1', quantity: 'x' }]), { name });
  const response = await downloadBadRows(json.data.draft_id);
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="__ \(1\)'s-bad-rows-\S+\.xlsx"; filename\*=UTF-8''%E8%AE%A2%E5%8D%95%20%281%29%27s-bad-rows-\S+\.xlsx$/,
  );
  const refusal = await downloadBadRows(await uploadDraft(service, user, [{ receipt: 'r1' }]));
  expect([refusal.status, (await refusal.json()).code]).toEqual([422, 'validation_failed']);
  const unknownDraftResponse = await downloadBadRows('x');
  expect([unknownDraftResponse.status, (await unknownDraftResponse.json()).errors[0].path]).toEqual([
    422,
    'draft',
  ]);
});

it('other requests get a response while a large file is being previewed', async () => {
  const rows = Array.from(
    { length: 2_900 },
    (_, n): Cells => ({ receipt: `l${n % 900}`, transaction_id: `${n}` }),
  );
  const id = await uploadDraft(service, user, rows);
  const client = await service.app.services.db.bulkPool.connect();
  let previewPromise: ReturnType<typeof readPreview>;
  let isPreviewed = false;
  try {
    await client.query('BEGIN');
    // Holds the shop's lock, so that the preview cannot end before the other requests.
    await client.query('SELECT pg_advisory_xact_lock(20261, $1)', [service.shopId]);
    previewPromise = readPreview(user, id, 'unchanged').finally(() => {
      isPreviewed = true;
    });
    await expect.poll(() => countWaitingStatements(service.database)).toBe(1);
    const responses = await Promise.all(Array.from({ length: 20 }, () => user.call('imports.drafts')));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(isPreviewed).toBe(false);
  } finally {
    await client.query('COMMIT');
    client.release();
  }
  expect((await previewPromise).counts).toMatchObject({ new_orders: 900, order_items_inserted: 2_900 });
});
