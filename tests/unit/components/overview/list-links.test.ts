import { expect, it } from 'vitest';
import { statisticsShops } from '../../../../src/components/overview/list-links';

const SHOPS = [
  { id: 1, shop_id: 'fox' },
  { id: 2, shop_id: null },
  { id: 3, shop_id: 'owl' },
];

it.each([
  ['no shop', [], SHOPS, ''],
  ['shops with a marketplace shop ID', ['1', '3'], SHOPS, 'fox,owl'],
  ['one shop with and one without', ['1', '2'], SHOPS, 'fox'],
  ['a shop without one', ['2'], SHOPS, null],
  ['a shop that is not loaded yet', ['1'], undefined, null],
])('the links to the statistics select the same shops: %s', (_, chosen, shops, filter) => {
  expect(statisticsShops(chosen, shops)).toBe(filter);
});
