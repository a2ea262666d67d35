import { expect, it } from 'vitest';
import type { Trpc } from '../../../../src/components/api/page-queries';
import { RECORD_FILTERS, recordListQuery } from '../../../../src/components/records/queries';
import { readUrl } from '../../../../src/components/ui/list/list-url';

/** Stands in for the tRPC client. The options of a query are the input that the client would send. */
const trpc = { records: { list: { queryOptions: (input: unknown) => input } } } as unknown as Trpc;

it('an invalid day in a URL of the debug records is dropped, and the other day is kept', () => {
  const inputOf = (search: string): unknown =>
    recordListQuery(trpc, readUrl(RECORD_FILTERS, new URLSearchParams(search), 25));
  expect(inputOf('from=2026-02-30&to=2026-08-22')).toEqual({ to: '2026-08-22', limit: 25 });
  expect(inputOf('from=2026-08-01&to=0002-08-01')).toEqual({ from: '2026-08-01', limit: 25 });
});
