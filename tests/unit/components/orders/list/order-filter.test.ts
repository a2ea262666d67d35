import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ORDER_FILTERS, readOrderFilter } from '../../../../../src/components/orders/list/order-filter';
import { MAX_SEARCH_LENGTH } from '../../../../../src/server/orders/filter/bounds';
import { orderFilterSchema } from '../../../../../src/server/orders/filter/schema';

describe('the filter in a URL of the orders list', () => {
  it('is read from a parameter for each of its members', () => {
    expect(
      readOrderFilter({
        q: 'fox',
        shop: '1,2',
        status: 'paid,shipped',
        tracking: 'exception,none',
        country: 'US,--',
        from: '2026-08-01',
        to: '2026-08-22',
        unshipped: '3',
        import: '7',
      }),
    ).toEqual({
      text: 'fox',
      shops: [1, 2],
      statuses: ['paid', 'shipped'],
      tracking: ['exception', 'none'],
      countries: ['US', '--'],
      sold_from: '2026-08-01',
      sold_to: '2026-08-22',
      unshipped_days: 3,
      import_id: '7',
    });
  });

  it('drops invalid values and keeps the rest', () => {
    expect(
      readOrderFilter({
        shop: 'one',
        status: 'lost',
        tracking: ',',
        country: 'usa',
        from: '2026-02-30',
        unshipped: '-1',
        import: 'last',
        to: '2026-08-22',
      }),
    ).toEqual({ tracking: [], sold_to: '2026-08-22' });
    // No shop and no import can have these ids.
    expect(readOrderFilter({ shop: '3000000000', import: '0' })).toEqual({});
    expect(readOrderFilter({})).toEqual({});
  });

  it('has a search that is too long as one that the service refuses, so that it does not mean all orders', () => {
    const filter = readOrderFilter({ q: '订单'.repeat(MAX_SEARCH_LENGTH), status: 'paid' });
    expect(filter.statuses).toEqual(['paid']);
    const problems = orderFilterSchema.safeParse(filter).error?.issues;
    expect(problems?.map(({ code, path }) => [code, ...path])).toEqual([['too_big', 'text']]);
    expect(encodeURIComponent(filter.text!).length).toBeLessThan(2 * MAX_SEARCH_LENGTH);
    expect(readOrderFilter({ q: ` ${'x'.repeat(MAX_SEARCH_LENGTH)} ` })).toEqual({
      text: 'x'.repeat(MAX_SEARCH_LENGTH),
    });
  });

  it('is always one that the service accepts, unless the search is too long', () => {
    const value = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom(
        'paid',
        'none',
        'US,DE',
        '1,2,3',
        '2026-08-01',
        '2026-02-30',
        '3000000000',
        '0',
        '2026-13-01',
        '',
        ',',
        '0',
        '12',
      ),
      fc.integer().map(String),
    );
    fc.assert(
      fc.property(
        fc.record(
          Object.fromEntries(ORDER_FILTERS.map((name) => [name, fc.option(value, { nil: undefined })])),
        ),
        (parameters) => {
          const filter = readOrderFilter(parameters);
          expect(orderFilterSchema.safeParse(filter)).toMatchObject({ success: true, data: filter });
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
