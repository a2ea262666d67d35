import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseMalformedRouterState } from '../../../../src/server/runtime/pages';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Sends text unchanged. Returns what arrives until the response is complete or the service closes the connection. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let responseText = '';
    socket.on('data', (chunk) => {
      responseText += chunk;
      if (responseText.includes('\r\n\r\n{') && responseText.endsWith('}')) socket.destroy();
    });
    socket.on('close', () => resolve(responseText));
    socket.on('error', (error) => (responseText ? resolve(responseText) : reject(error)));
    socket.write(text);
  });
}

const makeRequestText = (line: string, ...headers: string[]) => `${[line, ...headers].join('\r\n')}\r\n\r\n`;
const HOST_HEADER = 'Host: desk.example';

const UNUSUAL_REQUESTS: [description: string, text: string, status: number, code: string][] = [
  ['a broken request line', makeRequestText('HELLO'), 400, 'bad_request'],
  ['an unknown version of HTTP', makeRequestText('GET / HTTP/9.9', HOST_HEADER), 400, 'bad_request'],
  ['no Host', makeRequestText('GET /api/legos-sku HTTP/1.1'), 400, 'bad_request'],
  [
    'a Content-Length that is not a number',
    makeRequestText('POST / HTTP/1.1', HOST_HEADER, 'Content-Length: x'),
    400,
    'bad_request',
  ],
  [
    'both Content-Length and Transfer-Encoding',
    makeRequestText(
      'POST /api/shop-statistics HTTP/1.1',
      HOST_HEADER,
      'Content-Length: 3',
      'Transfer-Encoding: chunked',
    ),
    400,
    'bad_request',
  ],
  [
    'headers that are too large',
    makeRequestText('GET /api/legos-sku HTTP/1.1', HOST_HEADER, `X-A: ${'a'.repeat(40_000)}`),
    431,
    'headers_too_large',
  ],
  ['OPTIONS *', makeRequestText('OPTIONS * HTTP/1.1', HOST_HEADER), 404, 'not_found'],
  [
    'TRACE for an operation',
    makeRequestText('TRACE /api/legos-sku HTTP/1.1', HOST_HEADER),
    405,
    'method_not_allowed',
  ],
  [
    'TRACE for a procedure',
    makeRequestText('TRACE /api/trpc/shops.list HTTP/1.1', HOST_HEADER),
    405,
    'method_not_allowed',
  ],
  ['TRACE for MCP', makeRequestText('TRACE /mcp HTTP/1.1', HOST_HEADER), 405, 'method_not_allowed'],
  [
    'TRACE for the sign-in',
    makeRequestText('TRACE /api/auth/session HTTP/1.1', HOST_HEADER),
    405,
    'method_not_allowed',
  ],
  ['CONNECT', makeRequestText('CONNECT desk.example:80 HTTP/1.1', HOST_HEADER), 405, 'method_not_allowed'],
  [
    'an unknown Expect header',
    makeRequestText('POST /api/orders/import HTTP/1.1', HOST_HEADER, 'Expect: miracles', 'Content-Length: 2'),
    417,
    'expectation_failed',
  ],
  [
    'an Upgrade header',
    makeRequestText('GET / HTTP/1.1', HOST_HEADER, 'Connection: Upgrade', 'Upgrade: websocket'),
    426,
    'upgrade_refused',
  ],
];

describe('an unusual or malformed request', () => {
  it.each(UNUSUAL_REQUESTS)(
    'with %s gets the error envelope with a request id and no stack trace',
    async (_description, text, status, code) => {
      const response = await sendRaw(text);
      const [head, body = ''] = response.split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(head).toMatch(/^Content-Type: application\/json; charset=utf-8$/im);
      const envelope = JSON.parse(body);
      expect(envelope).toMatchObject({ success: false, code });
      expect(head).toContain(`X-Request-Id: ${envelope.request_id}`);
      expect(response).not.toMatch(/\bat .*[.](?:ts|js):\d|Error:/);
    },
  );

  it('with a malformed chunked body gets 400', async () => {
    const headers = [
      HOST_HEADER,
      `X-Api-Key: ${service.key}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ];
    const response = await sendRaw(
      `${makeRequestText('POST /api/shop-statistics HTTP/1.1', ...headers)}ZZ\r\nhello`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toContain('"code":"bad_request"');
  });

  it('with an absolute URL in place of the path is served', async () => {
    expect(await sendRaw(makeRequestText('GET http://desk.example/healthz HTTP/1.1', HOST_HEADER))).toContain(
      '{"status":"ok"}',
    );
  });
});

describe('the Next-Router-State-Tree header', () => {
  it('is refused with 422 if it is malformed', () => {
    const validState = encodeURIComponent(JSON.stringify(['', { children: ['__PAGE__', {}] }]));
    expect(() => refuseMalformedRouterState(undefined)).not.toThrow();
    expect(() => refuseMalformedRouterState(validState)).not.toThrow();
    for (const malformedState of [
      'x',
      '%',
      '{}',
      '[1]',
      encodeURIComponent('["",{"a":1}]'),
      [validState, validState],
    ])
      expect(() => refuseMalformedRouterState(malformedState), String(malformedState)).toThrow(
        expect.objectContaining({ code: 'validation_failed', status: 422 }),
      );
  });
});
