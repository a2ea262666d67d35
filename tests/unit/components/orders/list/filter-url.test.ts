import { expect, it } from 'vitest';
import {
  createFilterParameters,
  readFilterParameters,
} from '../../../../../src/components/orders/list/filter-url';
import { ordersDownloadQuery } from '../../../../../src/server/orders/export/schema';
import { MAX_IDS } from '../../../../../src/server/orders/filter/bounds';

it.each([{}, { ids: ['1', '22'] }, { statuses: ['paid' as const], text: 'a b' }, { ids: ['1'], shops: [2] }])(
  'a filter can be read back from a page’s URL and from a download’s: %j',
  (filter) => {
    const parameters = createFilterParameters(filter);
    expect(readFilterParameters(new URLSearchParams(parameters))).toEqual(filter);
    const lists = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, [value]]));
    expect(ordersDownloadQuery.parse({ format: ['csv'], ...lists }).filter).toEqual(filter);
  },
);

it('a URL without a filter, or with an invalid one, means no orders rather than all', () => {
  expect(readFilterParameters(new URLSearchParams())).toBeNull();
  expect(readFilterParameters(new URLSearchParams({ filter: '{' }))).toBeNull();
});

it('the largest selection fits into a URL, which Node limits to 16 KiB together with all headers', () => {
  const ids = Array.from({ length: MAX_IDS }, (_, index) => String(10_000_000 + index));
  expect(new URLSearchParams(createFilterParameters({ ids })).toString().length).toBeLessThan(10_000);
});
