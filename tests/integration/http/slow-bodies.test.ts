import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedInAs } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let viewer: SignedIn;

beforeAll(async () => {
  service = await startTestService({ BODY_TIMEOUT_MS: '1000', UPLOAD_BYTES_PER_SECOND: '50000' });
  viewer = await signedInAs(service, 'viewer');
});
afterAll(() => service.close());

/** Sends text unchanged and reads until the connection ends. */
function exchange(head: string, writeBody: (write: (text: string) => void) => void = () => undefined) {
  return new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let response = '';
    socket.on('data', (chunk) => {
      response += chunk;
    });
    socket.on('close', () => resolve(response));
    socket.on('error', (error) => (response ? resolve(response) : reject(error)));
    socket.write(head);
    writeBody((text) => void (socket.writable && socket.write(text)));
  });
}

const headOf = (path: string, length: number, headers: string[] = [`X-Api-Key: ${service.key}`]) =>
  `${[`POST ${path} HTTP/1.1`, `Host: ${new URL(service.url).host}`, `Content-Type: application/${path === '/oauth/token' ? 'x-www-form-urlencoded' : 'json'}`, `Content-Length: ${length}`, ...headers].join('\r\n')}\r\n\r\n`;

describe('a client that holds its body back', () => {
  it('is cut off with 408 in the envelope, whatever path it sends to', async () => {
    const session = [`Cookie: ${viewer.cookie}`, `Origin: ${service.url}`];
    for (const [path, headers] of [
      ['/api/shop-statistics', undefined],
      ['/api/orders/import', undefined],
      ['/api/trpc/orders.import', undefined],
      ['/api/trpc/views.save', session],
      ['/mcp', undefined],
      ['/api/auth/callback/credentials', []],
      ['/oauth/token', []],
    ] as const) {
      const response = await exchange(`${headOf(path, 100, headers && [...headers])}{`);
      const [head, body = ''] = response.split('\r\n\r\n');
      expect(head, path).toMatch(/^HTTP\/1\.1 408 /);
      expect(head).toMatch(/^Connection: close$/im);
      const envelope = JSON.parse(body);
      expect(envelope).toMatchObject({ success: false, code: 'request_timeout' });
      expect(head).toContain(envelope.request_id);
    }
  });

  it('may take longer with an import that keeps arriving, but not with a common body', async () => {
    const body = ' '.repeat(300_000);
    const sendPiecemeal = (path: string) => {
      let sent = 0;
      return exchange(
        headOf(path, body.length, [`X-Api-Key: ${service.key}`, 'Connection: close']),
        (write) => {
          const timer = setInterval(() => {
            write(body.slice(sent, sent + 30_000));
            sent += 30_000;
            if (sent >= body.length) clearInterval(timer);
          }, 150);
        },
      );
    };
    const [upload, common] = await Promise.all([
      sendPiecemeal('/api/orders/import'),
      sendPiecemeal('/api/shop-statistics'),
    ]);
    expect(upload).toMatch(/^HTTP\/1\.1 422 /);
    expect(common).toMatch(/^HTTP\/1\.1 408 /);
  });
});
