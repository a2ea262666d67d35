import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServePrecompressed } from '../../../src/server/runtime/precompressed-files';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';

const SCRIPT = 'console.log("well packed");'.repeat(100);

let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await makeTemporaryFolder('precompressed-files');
  await mkdir(path.join(folder, 'static', 'chunks'), { recursive: true });
  await writeFile(path.join(folder, 'static', 'chunks', 'a.js'), SCRIPT);
  await writeFile(path.join(folder, 'static', 'chunks', 'a.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(path.join(folder, 'static', 'chunks', 'b.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(path.join(folder, 'secret.js.br'), brotliCompressSync('not for anybody'));
  const sendPrecompressed = await createServePrecompressed(path.join(folder, 'static'), '/_next/static/');
  server = createServer(async (req, res) => {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Content-Security-Policy', "default-src 'self'");
    if (!(await sendPrecompressed(req, res))) res.end('by Next');
  }).listen(0);
});

afterAll(async () => {
  server?.close();
  if (folder) await removeTemporaryFolder(folder);
});

/** Sends a request as is: fetch would normalise its path and decompress the response. */
function send(target: string, encodings?: string, method = 'GET') {
  const { port } = server.address() as AddressInfo;
  const headers = encodings === undefined ? {} : { 'Accept-Encoding': encodings };
  return new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    request({ port, path: target, method, headers }, async (res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of res) chunks.push(chunk);
      resolve({ headers: res.headers, body: Buffer.concat(chunks) });
    })
      .on('error', reject)
      .end();
  });
}

describe('a precompressed file', () => {
  it('is sent as it is now if a later build has replaced it, and left to Next if one has deleted it', async () => {
    const file = path.join(folder, 'static', 'chunks', 'b.js.br');
    for (const script of [`${SCRIPT}// longer`, 'shorter()']) {
      await writeFile(file, brotliCompressSync(script));
      const { body } = await send('/_next/static/chunks/b.js', 'br');
      expect(brotliDecompressSync(body).toString()).toBe(script);
    }
    await rm(file);
    expect((await send('/_next/static/chunks/b.js', 'br')).body.toString()).toBe('by Next');
  });

  it.each(['br', 'gzip, deflate, br, zstd', 'gzip;q=0.5, br;q=0.9'])(
    'is sent compressed and marked as immutable to a client that accepts %j',
    async (encodings) => {
      const { headers, body } = await send('/_next/static/chunks/a.js', encodings);
      expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
      expect(headers).toMatchObject({
        'content-encoding': 'br',
        'content-type': 'text/javascript',
        'content-length': String(body.length),
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
      });
      // A script needs no Content-Security-Policy: that of its page applies.
      expect(headers).not.toHaveProperty('content-security-policy');
    },
  );

  it.each([undefined, 'gzip', 'br;q=0', 'brx', 'gzip, br;q=0.0'])(
    'is left to Next if the client accepts %j',
    async (encodings) => {
      const { headers, body } = await send('/_next/static/chunks/a.js', encodings);
      expect(body.toString()).toBe('by Next');
      expect(headers.vary).toBe('Accept-Encoding');
    },
  );

  it('is sent without a body in response to HEAD', async () => {
    const { headers, body } = await send('/_next/static/chunks/a.js', 'br', 'HEAD');
    expect([headers['content-encoding'], body.length]).toEqual(['br', 0]);
  });

  it.each([
    '/_next/static/chunks/a.js.br',
    '/_next/static/../secret.js',
    '/_next/static/%2e%2e/secret.js',
    '/_next/static/chunks/b.js',
    '/chunks/a.js',
  ])('is not sent for %s', async (target) => {
    expect((await send(target, 'br')).body.toString()).toBe('by Next');
  });
});
