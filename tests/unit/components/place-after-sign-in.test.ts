import { expect, it } from 'vitest';
import { placeAfterSignIn } from '../../../src/components/identity/place-after-sign-in';

it.each([
  '/admin/orders?shop=1&sort=-date',
  '/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Felsewhere.example',
])('after signing in one comes to %s', (path) => {
  expect(placeAfterSignIn(path, '/desk')).toBe(path);
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
])('%s leads to the overview and to no other site', (wanted) => {
  expect(placeAfterSignIn(wanted, '/desk')).toBe('/desk');
});
