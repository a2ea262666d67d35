import { describe, expect, it } from 'vitest';
import { computeDueDay, formatDueDay } from '../../../../../src/components/orders/list/compute-due-day';
import { fixedFiltersOf, readOrderList } from '../../../../../src/components/orders/list/order-filter';
import { orderSortOf } from '../../../../../src/components/orders/queries';
import { variationText } from '../../../../../src/components/orders/variation-text';
import { viewQuery } from '../../../../../src/components/ui/list/views/view-query';
import { ORDER_TABS, TAB_FILTERS } from '../../../../../src/server/orders/filter/order-tabs';

const readSearch = (search: string) => readOrderList(new URLSearchParams(search));

describe('the tab in a URL', () => {
  it.each([
    ['', 'to_ship'],
    ['sort=sold', 'to_ship'],
    ['tab=late', 'late'],
    ['tab=nonsense', 'to_ship'],
    ['q=fox', 'all'],
    ['tab=nonsense&shop=1', 'all'],
    ['tab=late&shop=1', 'late'],
  ])('such as %j is %s', (search, tab) => {
    expect(readSearch(search).tab).toBe(tab);
  });

  it('adds its filter to the other filters, and overrides those that it fixes', () => {
    expect(readSearch('tab=late&shop=1&status=delivered').filter).toEqual({ queue: 'late', shops: [1] });
    expect(readSearch('tab=delivered&status=paid&unshipped=3').filter).toEqual({ statuses: ['delivered'] });
    expect(readSearch('tab=exception&status=shipped').filter).toEqual({
      queue: 'exception',
      statuses: ['shipped'],
    });
    expect(readSearch('tab=all&status=paid').filter).toEqual({ statuses: ['paid'] });
  });

  it('fixes the status and tracking filters that it sets itself', () => {
    for (const tab of ORDER_TABS) {
      const { statuses, tracking } = TAB_FILTERS[tab];
      expect(fixedFiltersOf(tab).includes('status') || !statuses, tab).toBe(true);
      expect(fixedFiltersOf(tab).includes('tracking') || !tracking, tab).toBe(true);
    }
  });

  it.each([
    ['', false],
    ['tab=late', false],
    ['tab=all', true],
    ['tab=late&sort=-sold', true],
    ['tab=all&sort=sold', false],
  ])('decides how the list is sorted unless the URL does: %j, descending: %s', (search, descending) => {
    expect(orderSortOf(readSearch(search))).toEqual({ by: 'sold', descending });
  });
});

it('a view stores the tab even if the URL leaves it out, but neither the page nor the open order', () => {
  const query = viewQuery(new URLSearchParams('status=paid&cursor=x&open=12'), { tab: 'all' });
  expect(query).toBe('status=paid&tab=all');
  expect(viewQuery(new URLSearchParams(query), { tab: 'all' })).toBe(query);
});

describe('the day by which an order should be shipped', () => {
  const now = Date.parse('2026-11-22T17:00:00Z');

  it.each([
    ['2026-11-22T05:00:00Z', '2026-11-25', false, 'Wed, Nov 25'],
    ['2026-11-20T05:00:00Z', '2026-11-23', false, 'tomorrow'],
    ['2026-11-19T18:00:00Z', '2026-11-22', false, 'today'],
    ['2026-11-19T05:00:00Z', '2026-11-22', true, 'today'],
    ['2026-11-18T05:00:00Z', '2026-11-21', true, 'yesterday'],
    ['2026-08-01T04:00:00Z', '2026-08-04', true, 'Tue, Aug 4'],
    ['2025-12-30T05:00:00Z', '2026-01-02', true, 'Fri, Jan 2'],
    ['2025-12-01T05:00:00Z', '2025-12-04', true, 'Dec 4, 2025'],
  ])('for an order sold at %s is %s (late: %s), and is shown as %s', (soldAt, day, isLate, text) => {
    const dueDay = computeDueDay(soldAt, now);
    expect(dueDay).toMatchObject({ day, isLate });
    expect(formatDueDay(dueDay, 'en-US', now)).toBe(text);
  });
});

it.each([
  ['Size:Large', 'Size: Large'],
  ['Hair: black, short\nCap:navy\r\n“Class of 2026”', 'Hair: black, short · Cap: navy · “Class of 2026”'],
  ['At 3:15 pm\n\n', 'At 3:15 pm'],
])('variations %j are shown as %j', (variations, text) => {
  expect(variationText(variations)).toBe(text);
});
