import { beforeEach, expect, it } from 'vitest';
import { PendingUrls } from '../../../../../src/components/ui/url/pending-urls';

let now: number;
let pending: PendingUrls;

beforeEach(() => {
  now = 0;
  pending = new PendingUrls(() => now);
  pending.markShown('/orders');
});

it('the next change starts from the last URL that was written', () => {
  pending.add('/orders?status=paid');
  pending.add('/orders?status=paid&shop=1');
  expect(pending.latestUrl('/orders')).toBe('/orders?status=paid&shop=1');
});

it('showing an earlier URL leaves the later ones pending', () => {
  pending.add('/orders?status=paid');
  pending.add('/orders?status=paid&shop=1');
  pending.markShown('/orders?status=paid');
  expect(pending.latestUrl('/orders')).toBe('/orders?status=paid&shop=1');
  pending.markShown('/orders?status=paid&shop=1');
  expect(pending.latestUrl('/orders')).toBeUndefined();
});

it('a reverted change is pending as long as the change itself, although the page already shows its URL', () => {
  pending.add('/orders?status=paid');
  pending.add('/orders');
  pending.markShown('/orders');
  expect(pending.latestUrl('/orders')).toBe('/orders');
  pending.markShown('/orders?status=paid');
  expect(pending.latestUrl('/orders')).toBe('/orders');
  pending.markShown('/orders');
  expect(pending.latestUrl('/orders')).toBeUndefined();
});

it('a URL that no control has written, such as that of a link, replaces all pending ones', () => {
  pending.add('/orders?status=paid');
  pending.markShown('/orders?shop=2');
  expect(pending.latestUrl('/orders')).toBeUndefined();
});

it('nothing is pending on another page, after three seconds, or after the pending URLs were cleared', () => {
  pending.add('/orders?status=paid');
  expect(pending.latestUrl('/tracking')).toBeUndefined();
  now = 3_000;
  expect(pending.latestUrl('/orders')).toBeUndefined();
  now = 0;
  expect(pending.latestUrl('/orders')).toBe('/orders?status=paid');
  pending.clear();
  expect(pending.latestUrl('/orders')).toBeUndefined();
});

it('a page is behind while it shows an earlier URL than the last one that was written', () => {
  expect(pending.isBehind('/orders', '/orders')).toBe(false);
  pending.add('/orders?status=paid');
  expect(pending.isBehind('/orders', '/orders')).toBe(true);
  pending.add('/orders?status=paid%2Cshipped');
  pending.markShown('/orders?status=paid');
  expect(pending.isBehind('/orders', '/orders?status=paid')).toBe(true);
  expect(pending.isBehind('/orders', '/orders?status=paid%2Cshipped')).toBe(false);
  pending.clear();
  expect(pending.isBehind('/orders', '/orders?status=paid')).toBe(false);
});
