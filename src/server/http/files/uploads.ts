import { invalidField, methodNotAllowed, notFound, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { createDraft, writeRejectedRows } from '../../orders/drafts/service';
import type { Services } from '../../trpc/context';
import { refusalOfUser } from '../../trpc/procedures';
import { type Handler, respondWithError } from '../api';
import { type BodyLimit, readBody } from '../body';
import { findUser, requireSameOrigin } from '../caller/authentication';
import { checkCaller, recheckCaller } from '../caller/caller-check';
import type { Exchange } from '../exchange';
import { UPLOADS_PREFIX } from '../paths';
import { sendResponse } from '../response';

// The import page's files, which tRPC cannot transfer because it sends only JSON.

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** The content types that browsers send. Only the bytes of a file determine its format. */
const TYPES = new Set([
  'application/octet-stream',
  'text/csv',
  'application/csv',
  'application/vnd.ms-excel',
  'text/tab-separated-values',
  XLSX_TYPE,
]);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_NAME = 255;
const MAX_CONCURRENT_UPLOADS = 2;

/** @throws ServiceError `unauthorized` or `forbidden` */
async function requireImporter(services: Services, exchange: Exchange, appUrl: string): Promise<void> {
  const user = await findUser(services, exchange);
  if (!user) throw new ServiceError('unauthorized', createReason('service.signedOut'));
  exchange.user = user;
  requireSameOrigin(exchange, appUrl);
  const refusal = refusalOfUser(user, { permission: 'imports.write' });
  if (refusal) throw refusal;
}

function requireMethod({ req }: Exchange, method: 'GET' | 'POST'): void {
  if (req.method === method) return;
  throw methodNotAllowed([method]);
}

function requireFile({ req }: Exchange): void {
  const [type = ''] = (req.headers['content-type'] ?? '').split(';');
  if (!TYPES.has(type.trim().toLowerCase())) {
    throw new ServiceError('unsupported_media_type', createReason('request.fileType'));
  }
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ServiceError('unsupported_media_type', createReason('request.fileEncoding'));
}

/** Returns the file name without the folder that some browsers send, and without control characters. */
function nameOf(sentName: string): string {
  const name = sentName.split(/[/\\]/).at(-1) ?? '';
  return (
    name
      .toWellFormed()
      .replace(/\p{Cc}/gu, '')
      .trim()
      .slice(0, MAX_NAME) || 'orders'
  );
}

async function upload(
  services: Services,
  exchange: Exchange,
  limit: BodyLimit,
  userId: number,
): Promise<void> {
  requireFile(exchange);
  const query = new URLSearchParams(exchange.query);
  const account = query.get('account_id') ?? '';
  if (!/^[1-9]\d{0,9}$/.test(account)) throw invalidField('account_id', createReason('body.accountId'));
  const bytes = await readBody(exchange.req, limit);
  await recheckCaller(exchange, true);
  const file = { userId, shopId: Number(account), fileName: nameOf(query.get('file_name') ?? ''), bytes };
  const { id, encoding } = await createDraft(services, file, exchange.abortSignal());
  sendResponse(exchange, 200, JSON.stringify({ success: true, data: { draft_id: id, encoding } }));
}

/** Limits the concurrent uploads of a user: each holds its file in memory and occupies a thread while it is parsed. */
class ConcurrentUploads {
  readonly #running = new Map<number, number>();

  /** @throws ServiceError `rate_limited` if the user already has as many running as allowed */
  async run(userId: number, work: () => Promise<void>): Promise<void> {
    const running = this.#running.get(userId) ?? 0;
    if (running >= MAX_CONCURRENT_UPLOADS) {
      const message = createReason('file.uploads', { count: MAX_CONCURRENT_UPLOADS });
      throw new ServiceError('rate_limited', message, { headers: { 'Retry-After': '5' } });
    }
    this.#running.set(userId, running + 1);
    try {
      await work();
    } finally {
      const left = this.#running.get(userId)! - 1;
      if (left > 0) this.#running.set(userId, left);
      else this.#running.delete(userId);
    }
  }
}

async function downloadBadRows(services: Services, exchange: Exchange, userId: number): Promise<void> {
  const id = new URLSearchParams(exchange.query).get('draft') ?? '';
  if (!UUID.test(id)) throw invalidField('draft', createReason('type.idDraft'));
  const { fileName, bytes } = await writeRejectedRows(services, userId, id, exchange.abortSignal());
  const { res } = exchange;
  res.statusCode = 200;
  res.setHeader('Content-Type', XLSX_TYPE);
  res.setHeader('Content-Length', bytes.byteLength);
  res.setHeader('Cache-Control', 'no-store');
  const plain = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_');
  res.setHeader(
    'Content-Disposition',
    `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)}`,
  );
  res.end(bytes);
}

/**
 * Creates the handler: `POST orders?account_id&file_name` creates a draft; `GET orders/bad-rows?draft` returns a workbook of its
 * rejected rows.
 */
export function createUploads(
  services: Services,
  { appUrl, limit }: { appUrl: string; limit: BodyLimit },
): Handler {
  const uploads = new ConcurrentUploads();
  return async (exchange) => {
    exchange.forPage = true;
    try {
      const target = exchange.path.slice(UPLOADS_PREFIX.length);
      if (target !== 'orders' && target !== 'orders/bad-rows') throw notFound(createReason('request.noPath'));
      exchange.route = exchange.path;
      requireMethod(exchange, target === 'orders' ? 'POST' : 'GET');
      // Checked before the body is read; an upload checks again once it has arrived.
      await checkCaller(exchange, () => requireImporter(services, exchange, appUrl));
      const { userId } = exchange.user!;
      if (target === 'orders') await uploads.run(userId, () => upload(services, exchange, limit, userId));
      else await downloadBadRows(services, exchange, userId);
    } catch (thrown) {
      respondWithError(exchange, services, thrown);
    }
  };
}
