import { describe, expect, it } from 'vitest';
import {
  isCredentialName,
  MASKED,
  maskBytes,
  maskCredentials,
  maskText,
  maskValue,
} from '../../../src/server/core/credentials';
import { apiKeys, clientSecrets, personalTokens } from '../../../src/server/identity/secret-token';
import { findSecrets } from '../../support/find-secrets';
import { leastCpuMs } from '../../support/process/cpu-time';

const WEB_TOKEN = `eyJhbGciOiJIUzI1NiJ9.${'a'.repeat(40)}.${'b'.repeat(43)}`;

describe('the name', () => {
  it.each([
    ...[
      'api_key',
      'apikey',
      'API-KEY',
      'ApiKey',
      'x-api-key',
      'X_Api_Key',
      'api.key',
      'filter[api_key]',
      'ａｐｉ_ｋｅｙ',
    ],
    ...['token', 'access_token', 'accessToken', 'REFRESH-TOKEN', '17token', 'x-shop-token', 'csrfToken'],
    ...[
      'authorization',
      'Proxy-Authorization',
      'cookie',
      'Set-Cookie',
      'x-session-id',
      'sessionId',
      'JSESSIONID',
    ],
    ...['PHPSESSID', 'sign', 'SIGN', 'x-sign', 'app_sign', 'signature', 'X-Amz-Signature', 'sig', 'hmac'],
    ...[
      'client_secret',
      'password',
      'user-passwd',
      'pwd',
      'key',
      'app-key',
      'x-auth',
      'jwt',
      'code_verifier',
    ],
  ])('%s is that of a credential', (name) => {
    expect(isCredentialName(name)).toBe(true);
  });

  it.each([
    ...['design', 'assigned', 'keyword', 'monkey', 'author', 'shop_id', 'tracking_number', 'page', 'compass'],
    ...[
      'content-type',
      'user-agent',
      'accept',
      'host',
      'idempotency-key',
      'x-request-id',
      'x-forwarded-for',
      '',
    ],
  ])('%j is not that of a credential', (name) => {
    expect(isCredentialName(name)).toBe(false);
  });
});

describe('masking', () => {
  const SECRETS = [
    apiKeys.generate().secret,
    personalTokens.generate().secret,
    clientSecrets.generate().secret,
    WEB_TOKEN,
    `eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..${'a'.repeat(16)}.${'b'.repeat(60)}.${'c'.repeat(22)}`,
    '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo',
    `Bearer ${'x'.repeat(20)}`,
    `Basic ${'QWxhZGRpbjpvcGVu'.repeat(2)}`,
    // Unlike words, these have a digit, another mark or a capital in the middle, or are too long.
    'Basic dXNlcjpwYXNz',
    'bearer mfzwizltmfzwiz4t',
    'Bearer 3f786850e387550f',
    'BASIC YWJjZGVmZ2hpams=',
    'Bearer my_secret_word',
    'Bearer abcdefghijklmnopq',
    'Basic+dXNlcjpwYXNz',
    'Bearer%20dXNlcjpwYXNz',
    'Basic service-bearer dXNlcjpwYXNz',
    // After `Authorization`, even a plain word is hidden.
    'Authorization: Bearer secretpassword',
    '{"authorization":"basic secretpassword"}',
    `next-auth.session-token=${'t'.repeat(30)}`,
    `"access_token":"${'t'.repeat(30)}"`,
    'otpauth://totp/Brickdesk?secret=ABC',
  ];

  it.each(SECRETS)('hides %s alone, in a sentence, in JSON and in a query', (secret) => {
    for (const text of [
      secret,
      `before ${secret} after`,
      `{"a": ["x", ${JSON.stringify(secret)}]}`,
      `a=1&b=${secret}`,
    ]) {
      expect(findSecrets(maskCredentials(text))).toEqual([]);
      expect(maskCredentials(text)).toContain(MASKED);
    }
  });

  it.each([
    'Basic Transportation completed',
    'BASIC TRANSPORTATION COMPLETED',
    'basic transportation.',
    'Basic+transportation',
    'Basic%20door-to-door',
    'The bearer identification/verification...',
    'Basic Cross-Border-Transport',
  ])('leaves ordinary words after Bearer or Basic unchanged: %s', (text) => {
    expect(maskCredentials(text)).toBe(text);
  });

  it('leaves text without credentials as it is', () => {
    const text =
      '{"event":"TRACKING_UPDATED","n":"LX123456789CN","k":"bdk_","t":"a.b.c","u":"https://x.example/?a=1"}';
    expect(maskText(text)).toBe(text);
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(maskBytes(bytes)).toEqual(bytes);
  });

  it('works within bytes that are not valid text, and leaves the rest as received', () => {
    const { secret: key } = apiKeys.generate();
    const body = Buffer.concat([
      Buffer.from([0xff, 0x00, 0x80]),
      Buffer.from(key),
      Buffer.from([0xc3, 0x28]),
    ]);
    const expectedBody = Buffer.concat([
      Buffer.from([0xff, 0x00, 0x80]),
      Buffer.from(MASKED),
      Buffer.from([0xc3, 0x28]),
    ]);
    expect(Buffer.from(maskBytes(body))).toEqual(expectedBody);
  });

  it('hides the values of URL parameters that have the name of a credential', () => {
    expect(maskValue('referer', 'https://x.example/a?page=2&api_key=abc&sign=def#token=ghi')).toBe(
      `https://x.example/a?page=2&api_key=${MASKED}&sign=${MASKED}#token=${MASKED}`,
    );
    expect(maskValue('code', 'NY')).toBe('NY');
    expect(maskValue('code', 'a'.repeat(20))).toBe(MASKED);
  });

  it.each([
    ...['eyJ', 'eyJaaaaaaaaaa.', 'bdk_', 'a.', 'a=', '"access_token":"', 'Bearer ', '$argon2', '?key='],
    ...['Basic transportation ', 'basic+', 'basic/', 'Bearer a-a-', 'authorization:basic ', 'authorization'],
  ])('takes linear time for repetitions of %j', (part) => {
    const measureCpuMs = (length: number) => {
      const text = part.repeat(length / part.length);
      return leastCpuMs(() => maskText(text));
    };
    // Sixteen times the text; quadratic work would take 256 times as long.
    expect(measureCpuMs(1_600_000) / Math.max(measureCpuMs(100_000), 10)).toBeLessThan(80);
  });
});
