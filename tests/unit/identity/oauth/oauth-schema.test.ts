import { expect, it } from 'vitest';
import { isNativeRedirect, oauthClientSchema } from '../../../../src/server/identity/oauth/schema';

const isAccepted = (uri: string, isPublic: boolean) =>
  oauthClientSchema.safeParse({ name: 'Tool', redirect_uris: [uri], public: isPublic }).success;

it.each([
  'https://tool.example/callback',
  'https://tool.example:8443/callback?from=brickdesk',
  'http://localhost:3000/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:8080/callback',
])('a client may have the redirect URI %s', (uri) => {
  expect([isAccepted(uri, false), isAccepted(uri, true)]).toEqual([true, true]);
});

it('only a public client may have a redirect URI with a private-use scheme', () => {
  const uri = 'com.example.app:/callback';
  expect([isAccepted(uri, false), isAccepted(uri, true)]).toEqual([false, true]);
});

it.each([
  ['https://tool.example/callback', false],
  ['HTTPS://tool.example/callback', false],
  ['http://localhost:3000/callback', true],
  ['com.example.app:/callback', true],
])('%s leads to a program on the user’s machine: %s', (uri, isNative) => {
  expect(isNativeRedirect(uri)).toBe(isNative);
});

it.each([
  'http://tool.example/callback',
  'https://tool.example/callback#fragment',
  'https://*.tool.example/callback',
  'https://user:password@tool.example/callback',
  'https://tool.example/call back',
  'https://tool.example\\@evil.example/',
  'https://tööl.example/callback',
  'https://localhost/callback',
  'http://localhost.evil.example/callback',
  'http://127.0.0.1.evil.example/callback',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'app:/callback',
  '/callback',
  'tool.example/callback',
  '',
  'https://tool.example/\r\nSet-Cookie:x',
  `https://tool.example/${'x'.repeat(2000)}`,
])('no client may have the redirect URI %s', (uri) => {
  expect([isAccepted(uri, false), isAccepted(uri, true)]).toEqual([false, false]);
});

it('a client needs a name and at least one redirect URI', () => {
  expect(oauthClientSchema.safeParse({ name: '', redirect_uris: ['https://a.example/'] }).success).toBe(
    false,
  );
  expect(oauthClientSchema.safeParse({ name: 'Tool', redirect_uris: [] }).success).toBe(false);
});
