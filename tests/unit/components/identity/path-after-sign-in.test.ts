import { expect, it } from 'vitest';
import { resolvePathAfterSignIn } from '../../../../src/components/identity/path-after-sign-in';

it.each([
  '/admin/orders?shop=1&sort=-date',
  '/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Felsewhere.example',
])('signing in leads to %s', (path) => {
  expect(resolvePathAfterSignIn(path, '/desk')).toBe(path);
});

it.each([
  undefined,
  '',
  ['/admin', '/admin'],
  'https://elsewhere.example/',
  '//elsewhere.example',
  '/\\elsewhere.example',
  '/\t/elsewhere.example',
  '/a\\..\\b',
  'javascript:alert(1)',
])('%s leads to the overview, not to another site', (requestedPath) => {
  expect(resolvePathAfterSignIn(requestedPath, '/desk')).toBe('/desk');
});
