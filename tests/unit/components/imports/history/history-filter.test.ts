import { expect, it } from 'vitest';
import { readHistoryFilter } from '../../../../../src/components/imports/history/history-filter';

it('the imports of a range of days include the whole last day in the reader’s time zone', () => {
  expect(readHistoryFilter({ from: '2026-03-07', to: '2026-03-08' }, 'America/New_York')).toEqual({
    from: '2026-03-07T05:00:00.000Z',
    until: '2026-03-09T04:00:00.000Z',
  });
});

it.each(['yes', 'no'] as const)('imports can be filtered by whether they have warnings: %s', (warnings) => {
  expect(readHistoryFilter({ warnings }, 'UTC')).toEqual({ warnings: warnings === 'yes' });
});

it('imports can be filtered by several shops and outcomes', () => {
  expect(readHistoryFilter({ shop: '3,7', outcome: 'rejected,failed' }, 'UTC')).toEqual({
    shops: [3, 7],
    outcomes: ['rejected', 'failed'],
  });
});

it.each([
  { from: 'abc' },
  { to: 'abc' },
  { from: '2026-02-30', to: '2026-13-01' },
  { to: '9999999-01-01' },
  { warnings: 'x' },
  { shop: '3,0', outcome: 'failed,x' },
  { shop: '0', source: 'x', outcome: 'x', actor: ' ', file: '' },
])('a URL with only invalid values, %j, filters by nothing', (parameters) => {
  expect(readHistoryFilter(parameters, 'Asia/Shanghai')).toEqual({});
});
