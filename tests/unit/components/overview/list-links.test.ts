import { expect, it } from 'vitest';
import { statisticsShopFilter } from '../../../../src/components/overview/list-links';

const SHOPS = [
  { id: 1, shop_id: 'fox' },
  { id: 2, shop_id: null },
  { id: 3, shop_id: 'owl' },
];

it.each([
  ['select all shops if none is chosen', [], SHOPS, ''],
  ['select the chosen shops', ['1', '3'], SHOPS, 'fox,owl'],
  ['select only those of the chosen shops that have a marketplace shop ID', ['1', '2'], SHOPS, 'fox'],
  ['are missing if no chosen shop has a marketplace shop ID', ['2'], SHOPS, null],
  ['are missing if the shops are not loaded yet', ['1'], undefined, null],
])('the links to the statistics %s', (_, chosenShopIds, shops, filter) => {
  expect(statisticsShopFilter(chosenShopIds, shops)).toBe(filter);
});
