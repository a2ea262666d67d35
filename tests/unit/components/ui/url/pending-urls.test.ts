import { beforeEach, expect, it } from 'vitest';
import { PendingUrls } from '../../../../../src/components/ui/url/pending-urls';

let now: number;
let pendingUrls: PendingUrls;

beforeEach(() => {
  now = 0;
  pendingUrls = new PendingUrls(() => now);
  pendingUrls.markShown('/orders');
});

it('the next change of a URL starts from the last URL that was written', () => {
  pendingUrls.add('/orders?status=paid');
  pendingUrls.add('/orders?status=paid&shop=1');
  expect(pendingUrls.latestUrl('/orders')).toBe('/orders?status=paid&shop=1');
});

it('showing an earlier URL leaves the later ones pending', () => {
  pendingUrls.add('/orders?status=paid');
  pendingUrls.add('/orders?status=paid&shop=1');
  pendingUrls.markShown('/orders?status=paid');
  expect(pendingUrls.latestUrl('/orders')).toBe('/orders?status=paid&shop=1');
  pendingUrls.markShown('/orders?status=paid&shop=1');
  expect(pendingUrls.latestUrl('/orders')).toBeUndefined();
});

it('a reverted change stays pending until the page has shown the changed URL and then the original one again', () => {
  pendingUrls.add('/orders?status=paid');
  pendingUrls.add('/orders');
  pendingUrls.markShown('/orders');
  expect(pendingUrls.latestUrl('/orders')).toBe('/orders');
  pendingUrls.markShown('/orders?status=paid');
  expect(pendingUrls.latestUrl('/orders')).toBe('/orders');
  pendingUrls.markShown('/orders');
  expect(pendingUrls.latestUrl('/orders')).toBeUndefined();
});

it('showing a URL that no control has written, such as a link’s, discards all pending ones', () => {
  pendingUrls.add('/orders?status=paid');
  pendingUrls.markShown('/orders?shop=2');
  expect(pendingUrls.latestUrl('/orders')).toBeUndefined();
});

it('no URL is pending on another page, after three seconds, or after the pending URLs were cleared', () => {
  pendingUrls.add('/orders?status=paid');
  expect(pendingUrls.latestUrl('/tracking')).toBeUndefined();
  now = 3_000;
  expect(pendingUrls.latestUrl('/orders')).toBeUndefined();
  now = 0;
  expect(pendingUrls.latestUrl('/orders')).toBe('/orders?status=paid');
  pendingUrls.clear();
  expect(pendingUrls.latestUrl('/orders')).toBeUndefined();
});

it('a page is behind while it shows an earlier URL than the last one that was written', () => {
  expect(pendingUrls.isBehind('/orders', '/orders')).toBe(false);
  pendingUrls.add('/orders?status=paid');
  expect(pendingUrls.isBehind('/orders', '/orders')).toBe(true);
  pendingUrls.add('/orders?status=paid%2Cshipped');
  pendingUrls.markShown('/orders?status=paid');
  expect(pendingUrls.isBehind('/orders', '/orders?status=paid')).toBe(true);
  expect(pendingUrls.isBehind('/orders', '/orders?status=paid%2Cshipped')).toBe(false);
  pendingUrls.clear();
  expect(pendingUrls.isBehind('/orders', '/orders?status=paid')).toBe(false);
});
