import { invalidField, methodNotAllowed, notFound, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { isIntegerIdText } from '../../core/id-text';
import { tooLargeReason } from '../../core/spreadsheet/file-size';
import { createDraft } from '../../orders/drafts/service';
import type { Services } from '../../trpc/context';
import { type Handler, respondWithError } from '../api';
import { type BodyLimit, readBody } from '../body';
import { requireUser } from '../caller/authentication';
import { checkCaller, recheckCaller } from '../caller/caller-check';
import type { Exchange } from '../exchange';
import { UPLOADS_PREFIX } from '../paths';
import { sendResponse } from '../response';
import { ConcurrentFiles } from './concurrent-files';

// The import page's files. They are not sent through tRPC, because our tRPC calls carry only JSON.

/** The content types that browsers send. Only the bytes of a file determine its format. */
const CONTENT_TYPES = new Set([
  'application/octet-stream',
  'text/csv',
  'application/csv',
  'application/vnd.ms-excel',
  'text/tab-separated-values',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]);
const MAX_NAME_LENGTH = 255;
/** How many files a user may upload at the same time: each is held in memory and occupies a thread while it is parsed. */
const MAX_CONCURRENT_UPLOADS = 2;

function requireFile({ req }: Exchange): void {
  const [type = ''] = (req.headers['content-type'] ?? '').split(';');
  if (!CONTENT_TYPES.has(type.trim().toLowerCase())) {
    throw new ServiceError('unsupported_media_type', createReason('request.fileType'));
  }
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ServiceError('unsupported_media_type', createReason('request.fileEncoding'));
}

/** Returns the file name without the folder that some browsers send, and without control characters. */
function cleanFileName(sentName: string): string {
  const name = sentName.split(/[/\\]/).at(-1) ?? '';
  return (
    name
      .toWellFormed()
      .replace(/\p{Cc}/gu, '')
      .trim()
      .slice(0, MAX_NAME_LENGTH) || 'orders'
  );
}

async function receiveFile(
  services: Services,
  exchange: Exchange,
  limit: BodyLimit,
  userId: number,
): Promise<void> {
  requireFile(exchange);
  const query = new URLSearchParams(exchange.query);
  const shopId = query.get('account_id') ?? '';
  if (!isIntegerIdText(shopId)) throw invalidField('account_id', createReason('type.idShop'));
  const fileName = cleanFileName(query.get('file_name') ?? '');
  const size = Number(exchange.req.headers['content-length'] ?? 0);
  if (size > limit.bytes)
    throw new ServiceError('payload_too_large', tooLargeReason(fileName, size, limit.bytes));
  const bytes = await readBody(exchange.req, limit);
  await recheckCaller(exchange, true);
  const file = {
    userId,
    shopId: Number(shopId),
    fileName,
    bytes,
  };
  const { id, encoding } = await createDraft(services, file, exchange.abortSignal());
  sendResponse(exchange, 200, JSON.stringify({ success: true, data: { draft_id: id, encoding } }));
}

/** Creates the handler: `POST orders?account_id&file_name` creates a draft. */
export function createUploadHandler(
  services: Services,
  { appUrl, limit }: { appUrl: string; limit: BodyLimit },
): Handler {
  const uploads = new ConcurrentFiles(MAX_CONCURRENT_UPLOADS, 'file.uploads');
  return async (exchange) => {
    exchange.isForPage = true;
    try {
      if (exchange.path !== `${UPLOADS_PREFIX}orders`) throw notFound(createReason('request.noPath'));
      exchange.route = exchange.path;
      if (exchange.req.method !== 'POST') throw methodNotAllowed(['POST']);
      // The caller is checked before the body is read, and again once it has arrived.
      await checkCaller(exchange, () => requireUser(services, exchange, 'imports.write', appUrl));
      const { userId } = exchange.user!;
      await uploads.run(userId, () => receiveFile(services, exchange, limit, userId));
    } catch (thrown) {
      respondWithError(exchange, services, thrown);
    }
  };
}
