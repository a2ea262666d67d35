import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const BODY = '{"shop_id":"continue","date":"2026-01-02"}';

/** Sends the head of a request, and the body only once the service asks for it. Returns the statuses of all responses. */
function sendPatiently(path: string, headers: Record<string, string>, body = BODY): Promise<string[]> {
  const allHeaders = {
    Host: 'desk.example',
    Expect: '100-continue',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const headerLines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').setTimeout(5_000, () => socket.destroy(new Error(`No response: ${text}`)));
    socket.on('data', (chunk) => {
      const wasAsked = text.includes('100 Continue');
      text += chunk;
      if (!wasAsked && text.includes('100 Continue')) socket.write(body);
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status!);
      if (statuses.at(-1) === undefined || statuses.at(-1) === '100') return;
      resolve(statuses);
      socket.destroy();
    });
    socket.on('error', reject);
    socket.write(`POST ${path} HTTP/1.1\r\n${headerLines.join('')}\r\n`);
  });
}

describe('a client that waits for 100 Continue', () => {
  it.each([
    ['without a key', '/api/shop-statistics', {}, '401'],
    ['at an unknown path', '/api/nothing', {}, '404'],
    ['with another type', '/api/shop-statistics', { 'Content-Type': 'text/plain' }, '415'],
    ['with a body that is too large', '/api/shop-statistics', { 'Content-Length': '2000000' }, '413'],
    ['with a large MCP message and no key', '/mcp', { 'Content-Length': '2000000' }, '401'],
    ['for an upload without a session', '/api/uploads/orders', {}, '401'],
    ['for a page', '/admin', {}, '404'],
  ])('is refused before it sends the body: %s', async (description, path, headers, status) => {
    const key: Record<string, string> = /without a key|no key/.test(description)
      ? {}
      : { 'X-Api-Key': service.key };
    expect(await sendPatiently(path, { ...key, ...headers })).toEqual([status]);
  });

  it.each([
    ['an operation', '/api/shop-statistics', '200'],
    ['MCP', '/mcp', '406'],
    ['the token endpoint', '/oauth/token', '400'],
    ['an unsubscribe link', '/unsubscribe?token=x', '404'],
  ])('is asked for the body once %s reads it', async (_, path, status) => {
    expect(await sendPatiently(path, { 'X-Api-Key': service.key })).toEqual(['100', status]);
  });
});
