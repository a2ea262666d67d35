import { open, readdir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream';

const BROTLI_SUFFIX = '.br';

/** The media types (RFC 9239 for scripts). Without a charset, browsers use that of the page, which is UTF-8. */
const CONTENT_TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

/** Headers that only matter for documents; omitting them from scripts and styles saves half a kilobyte each. */
const DOCUMENT_HEADERS = [
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Permissions-Policy',
  'Referrer-Policy',
  'X-Frame-Options',
];

interface PrecompressedFile {
  filePath: string;
  contentType: string;
}

/** Responds to a request for a precompressed file if the client accepts Brotli. Returns whether it did. */
type ServePrecompressed = (req: IncomingMessage, res: ServerResponse) => Promise<boolean>;

/** Returns whether a client accepts Brotli: the header names `br`, with a weight that is not zero. */
function acceptsBrotli(acceptEncoding: string | string[] | undefined): boolean {
  return String(acceptEncoding ?? '')
    .split(',')
    .some((part) => /^\s*br\s*(?:;\s*q=(?:1|0?\.\d*[1-9]).*)?$/i.test(part));
}

/**
 * Returns a function that serves the scripts and styles that the build compressed with Brotli, which are a sixth smaller than
 * what Next compresses on the fly. Their names change with their content, so browsers cache them for a year. Serves only files that
 * exist at startup, so no path can lead anywhere else.
 *
 * @param prefix the path under which they are requested
 */
export async function createServePrecompressed(folder: string, prefix: string): Promise<ServePrecompressed> {
  const names = await readdir(folder, { recursive: true });
  const files = new Map<string, PrecompressedFile>();
  for (const name of names.filter((fileName) => fileName.endsWith(BROTLI_SUFFIX))) {
    const plainName = name.slice(0, -BROTLI_SUFFIX.length);
    const contentType = CONTENT_TYPES[path.extname(plainName)];
    const filePath = path.join(folder, name);
    if (contentType)
      files.set(prefix + plainName.replaceAll(path.sep, '/'), {
        filePath,
        contentType,
      });
  }
  return async (req, res) => {
    const precompressedFile = files.get(req.url?.split('?')[0] ?? '');
    if (!precompressedFile || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    res.setHeader('Vary', 'Accept-Encoding');
    if (!acceptsBrotli(req.headers['accept-encoding'])) return false;
    // Opened now, because a later build may have replaced or deleted the file.
    const handle = await open(precompressedFile.filePath).catch(() => null);
    if (!handle) return false;
    for (const header of DOCUMENT_HEADERS) res.removeHeader(header);
    res.writeHead(200, {
      'Content-Type': precompressedFile.contentType,
      'Content-Encoding': 'br',
      'Content-Length': (await handle.stat()).size,
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
    if (req.method === 'HEAD') {
      await handle.close();
      res.end();
    }
    // If the browser disconnects, the stream fails with an error that can be ignored: no response can reach the browser.
    else pipeline(handle.createReadStream(), res, () => undefined);
    return true;
  };
}
