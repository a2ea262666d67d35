import { beforeEach, expect, it } from 'vitest';
import { PendingAddresses } from '../../../../../src/components/ui/url/pending-urls';

let time: number;
let pending: PendingAddresses;

beforeEach(() => {
  time = 0;
  pending = new PendingAddresses(() => time);
  pending.shows('/orders');
});

it('the next change starts from the last URL that was written', () => {
  pending.wrote('/orders?status=paid');
  pending.wrote('/orders?status=paid&shop=1');
  expect(pending.latest('/orders')).toBe('/orders?status=paid&shop=1');
});

it('showing an earlier URL leaves the later ones pending', () => {
  pending.wrote('/orders?status=paid');
  pending.wrote('/orders?status=paid&shop=1');
  pending.shows('/orders?status=paid');
  expect(pending.latest('/orders')).toBe('/orders?status=paid&shop=1');
  pending.shows('/orders?status=paid&shop=1');
  expect(pending.latest('/orders')).toBeUndefined();
});

it('a reverted change is pending as long as the change itself, although the page already shows its URL', () => {
  pending.wrote('/orders?status=paid');
  pending.wrote('/orders');
  pending.shows('/orders');
  expect(pending.latest('/orders')).toBe('/orders');
  pending.shows('/orders?status=paid');
  expect(pending.latest('/orders')).toBe('/orders');
  pending.shows('/orders');
  expect(pending.latest('/orders')).toBeUndefined();
});

it('a URL that no control has written, such as that of a link, replaces all pending ones', () => {
  pending.wrote('/orders?status=paid');
  pending.shows('/orders?shop=2');
  expect(pending.latest('/orders')).toBeUndefined();
});

it('nothing is pending on another page, after a while, or after going back', () => {
  pending.wrote('/orders?status=paid');
  expect(pending.latest('/tracking')).toBeUndefined();
  time = 3_000;
  expect(pending.latest('/orders')).toBeUndefined();
  time = 0;
  expect(pending.latest('/orders')).toBe('/orders?status=paid');
  pending.forget();
  expect(pending.latest('/orders')).toBeUndefined();
});

it('a page is behind while it shows an earlier URL than the last one that was written', () => {
  expect(pending.isBehind('/orders', '/orders')).toBe(false);
  pending.wrote('/orders?status=paid');
  expect(pending.isBehind('/orders', '/orders')).toBe(true);
  pending.wrote('/orders?status=paid%2Cshipped');
  pending.shows('/orders?status=paid');
  expect(pending.isBehind('/orders', '/orders?status=paid')).toBe(true);
  expect(pending.isBehind('/orders', '/orders?status=paid%2Cshipped')).toBe(false);
  pending.forget();
  expect(pending.isBehind('/orders', '/orders?status=paid')).toBe(false);
});
