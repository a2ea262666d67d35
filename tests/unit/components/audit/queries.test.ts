import { describe, expect, it } from 'vitest';
import type { Trpc } from '../../../../src/components/api/page-queries';
import { AUDIT_FILTERS, auditQuery } from '../../../../src/components/audit/queries';
import { readUrl } from '../../../../src/components/ui/list/list-url';

/** Stands in for the tRPC client. The options of a query are the input that the client would send. */
const trpc = { audit: { list: { queryOptions: (input: unknown) => input } } } as unknown as Trpc;

const inputOf = (search: string): unknown =>
  auditQuery(trpc, readUrl(AUDIT_FILTERS, new URLSearchParams(search), 25));

describe('the filter in a URL of the audit log', () => {
  it('has the chosen groups, record types and action', () => {
    expect(inputOf('group=shops,orders&record_type=account&action=api_key.revoke')).toMatchObject({
      groups: ['shops', 'orders'],
      record_types: ['account'],
      action: 'api_key.revoke',
    });
  });

  it.each(['toString', 'constructor', '__proto__', 'unknown'])(
    'drops the unknown name %s and keeps the rest',
    (name) => {
      expect(inputOf(`group=${name},shops&record_type=${name}&action=${name}&from=2026-08-01`)).toEqual({
        groups: ['shops'],
        from: '2026-08-01',
        limit: 25,
      });
    },
  );
});
