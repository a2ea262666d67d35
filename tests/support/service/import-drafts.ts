import { stringify } from 'csv-stringify/sync';
import { createExportRow, HEADER } from '../fixtures';
import type { SignedInUser } from './signed-in';
import type { TestService } from './test-service';

/** Column positions of the export, by the names that tests use. */
const COLUMNS = {
  title: 1,
  quantity: 3,
  price: 4,
  discount_amount: 7,
  order_shipping: 9,
  item_total: 11,
  currency: 12,
  transaction_id: 13,
  listing_id: 14,
  sale_date: 15,
  shipped: 16,
  name: 17,
  zip: 22,
  country: 23,
  receipt: 24,
  inperson_discount: 29,
  sku: 32,
} as const;

export type Cells = Partial<Record<keyof typeof COLUMNS, unknown>>;

export const columnOf = (name: keyof typeof COLUMNS): number => COLUMNS[name];

/** Returns an export with these rows, header first. */
export function exportOf(rows: readonly Cells[]): unknown[][] {
  return [
    HEADER,
    ...rows.map((cells) =>
      createExportRow(
        Object.fromEntries(Object.entries(cells).map(([name, cell]) => [COLUMNS[name as keyof Cells], cell])),
      ),
    ),
  ];
}

export const csvOf = (rows: readonly Cells[]): string => stringify(exportOf(rows));

export interface UploadResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  json: any;
}

/** Uploads a file as the page does. A stream is sent without a Content-Length. */
export async function uploadFile(
  service: TestService,
  user: SignedInUser,
  file: string | Uint8Array | ReadableStream<Uint8Array<ArrayBuffer>>,
  { name = 'orders.csv', shopId = service.shopId, headers = {} as Record<string, string> } = {},
): Promise<UploadResponse> {
  const query = new URLSearchParams({ account_id: String(shopId), file_name: name });
  const response = await fetch(`${service.url}/api/uploads/orders?${query}`, {
    method: 'POST',
    headers: {
      Cookie: user.cookie,
      Origin: service.url,
      'Content-Type': 'application/octet-stream',
      ...headers,
    },
    body: file instanceof Uint8Array ? Uint8Array.from(file) : file,
    ...(file instanceof ReadableStream ? { duplex: 'half' } : {}),
  });
  return { status: response.status, json: await response.json() };
}

/** Returns a row of a file: one item of an order. */
export const rowOf = (receiptId: string, cells: Cells = {}): Cells => ({
  receipt: receiptId,
  transaction_id: '1',
  title: 'Fox',
  ...cells,
});

/** Uploads a file or rows as a draft. Returns the draft's id. */
export async function uploadDraft(
  service: TestService,
  user: SignedInUser,
  file: string | Uint8Array | readonly Cells[],
): Promise<string> {
  const content = Array.isArray(file) ? csvOf(file) : (file as string | Uint8Array);
  const { status, json } = await uploadFile(service, user, content);
  if (status !== 200) throw new Error(JSON.stringify(json));
  return json.data.draft_id;
}

/** Returns all pages of a list, each requested with the cursor of the one before. */
export async function readPages(user: SignedInUser, procedure: string, input: Record<string, unknown>) {
  const pages = [];
  let cursor: string | undefined;
  do {
    const { data, error } = await user.call(procedure, { ...input, cursor });
    if (error) throw new Error(JSON.stringify(error));
    pages.push(data);
    cursor = data.next ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

/** Returns the preview of a draft with all entries of a part, read page by page. */
export async function readPreview(user: SignedInUser, id: string, part: string) {
  const pages = await readPages(user, 'imports.preview', { id, part });
  return { ...pages[0], entries: pages.flatMap((page) => page.entries) };
}

/** Imports a draft according to its current preview. */
export async function commitDraft(user: SignedInUser, id: string): ReturnType<SignedInUser['call']> {
  const { fingerprint } = await readPreview(user, id, 'new');
  return user.call('imports.commit', { id, fingerprint });
}

/** Uploads and imports these rows. Returns the import's id. */
export async function uploadAndImport(
  service: TestService,
  user: SignedInUser,
  rows: readonly Cells[],
): Promise<string> {
  const { data, error } = await commitDraft(user, await uploadDraft(service, user, rows));
  if (error) throw new Error(JSON.stringify(error));
  return data.import_id;
}
