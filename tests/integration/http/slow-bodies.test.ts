import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;

beforeAll(async () => {
  service = await startTestService({ BODY_TIMEOUT_MS: '1000', UPLOAD_BYTES_PER_SECOND: '50000' });
  operator = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());

/** Sends a head and the text that `writeBody` writes, unchanged. Returns what arrives until the connection ends. */
function sendRaw(head: string, writeBody: (write: (text: string) => void) => void = () => undefined) {
  return new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let responseText = '';
    socket.on('data', (chunk) => {
      responseText += chunk;
    });
    socket.on('close', () => resolve(responseText));
    socket.on('error', (error) => (responseText ? resolve(responseText) : reject(error)));
    socket.write(head);
    writeBody((text) => void (socket.writable && socket.write(text)));
  });
}

function contentTypeOf(path: string): string {
  if (path.startsWith('/oauth/')) return 'application/x-www-form-urlencoded';
  return path.startsWith('/api/uploads/') ? 'text/csv' : 'application/json';
}

const makeHead = (path: string, contentLength: number, headers: string[] = [`X-Api-Key: ${service.key}`]) =>
  `${[`POST ${path} HTTP/1.1`, `Host: ${new URL(service.url).host}`, `Content-Type: ${contentTypeOf(path)}`, `Content-Length: ${contentLength}`, ...headers].join('\r\n')}\r\n\r\n`;

describe('a client whose request body is slow to arrive', () => {
  it('is cut off with 408 in the error envelope, whatever the path', async () => {
    const sessionHeaders = [`Cookie: ${operator.cookie}`, `Origin: ${service.url}`];
    const requests: [string, string[]?][] = [
      ['/api/shop-statistics'],
      ['/api/orders/import'],
      ['/api/v1/tracks'],
      ['/api/v1/marketplace'],
      ['/api/trpc/orders.import'],
      ['/api/trpc/views.save', sessionHeaders],
      ['/api/trpc/trackingPaste.readFile', sessionHeaders],
      [`/api/uploads/orders?account_id=${service.shopId}`, sessionHeaders],
      ['/mcp'],
      ['/api/auth/callback/credentials', []],
      ['/oauth/token', []],
      ['/oauth/introspect', []],
      ['/unsubscribe?token=x', []],
    ];
    const responses = await Promise.all(
      requests.map(
        async ([path, headers]) => [path, await sendRaw(`${makeHead(path, 100, headers)}{`)] as const,
      ),
    );
    for (const [path, response] of responses) {
      const [head, body = ''] = response.split('\r\n\r\n');
      expect(head, path).toMatch(/^HTTP\/1\.1 408 /);
      expect(head).toMatch(/^Connection: close$/im);
      const envelope = JSON.parse(body);
      expect(envelope).toMatchObject({ success: false, code: 'request_timeout' });
      expect(head).toContain(envelope.request_id);
    }
  });

  it('gets more time for an import that keeps arriving, but not for any other body', async () => {
    const body = ' '.repeat(750_000);
    // Sent at once, so that an import is not late after a pause of the machine.
    const firstPart = body.slice(0, 120_000);
    const keyHeaders = [`X-Api-Key: ${service.key}`];
    const sessionHeaders = [`Cookie: ${operator.cookie}`, `Origin: ${service.url}`];
    const sendPiecemeal = async (path: string, credentialHeaders: string[]) => {
      let sentLength = firstPart.length;
      const response = await sendRaw(
        makeHead(path, body.length, [...credentialHeaders, 'Connection: close']),
        (write) => {
          write(firstPart);
          const timer = setInterval(() => {
            write(body.slice(sentLength, sentLength + 30_000));
            sentLength += 30_000;
            if (sentLength >= body.length) clearInterval(timer);
          }, 150);
        },
      );
      return [path, response.slice(0, 'HTTP/1.1 408'.length)];
    };
    const uploadPath = `/api/uploads/orders?account_id=${service.shopId}`;
    expect(
      await Promise.all([
        sendPiecemeal('/api/orders/import', keyHeaders),
        sendPiecemeal('/api/trpc/orders.import', keyHeaders),
        sendPiecemeal(uploadPath, sessionHeaders),
        sendPiecemeal('/api/shop-statistics', keyHeaders),
        sendPiecemeal('/api/trpc/views.save', sessionHeaders),
        sendPiecemeal('/mcp', keyHeaders),
      ]),
    ).toEqual([
      ['/api/orders/import', 'HTTP/1.1 422'],
      ['/api/trpc/orders.import', 'HTTP/1.1 422'],
      [uploadPath, 'HTTP/1.1 422'],
      ['/api/shop-statistics', 'HTTP/1.1 408'],
      ['/api/trpc/views.save', 'HTTP/1.1 408'],
      ['/mcp', 'HTTP/1.1 408'],
    ]);
  });
});
