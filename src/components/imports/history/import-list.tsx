'use client';

import { Anchor } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../../api/router-types';
import { FieldChanges } from '../../orders/page/timeline/field-changes';
import { useBackOffice } from '../../shell/back-office';
import { type AnyReason, useReasonText } from '../../ui/feedback/reason-text';
import { type Column, ListTable } from '../../ui/list/table/list-table';
import { StatusBadge } from '../../ui/value/status-badge';
import { ToneBadge } from '../../ui/value/tone-badge';
import styles from '../imports.module.css';
import { useRecordKindName } from '../record-names';

type ImportListPage = RouterOutputs['imports']['one'];

type Part = ImportListPage['part'];
type Entry<P extends Part> = Extract<ImportListPage, { part: P }>['entries'][number];

const HELD_BACK = 'import.held';

/** Returns a row's problem: for a held-back row, the nested reason, because its badge already says that it was held back. */
const causeOf = ({ reason, values }: AnyReason): AnyReason =>
  reason === HELD_BACK ? (values.reason as AnyReason) : { reason, values };

/** Returns the columns of each list of an import. `isFile`: whether the import page imported it from a file. */
function useColumns(isFile: boolean): { [P in Part]: Column<Entry<P>>[] } {
  const t = useTranslations('imports');
  const reasonText = useReasonText();
  const { prefix } = useBackOffice();
  const recordKindNameOf = useRecordKindName();
  const receiptColumn = {
    key: 'receipt',
    label: t('receipt'),
    heading: true,
    render: ({
      order_id: orderId,
      receipt_id: receiptId,
    }: {
      order_id: string;
      receipt_id: string | null;
    }) =>
      receiptId === null ? (
        <span className="mono">{orderId}</span>
      ) : (
        <Anchor component={Link} href={`${prefix}/orders/${orderId}`} prefetch={false} className="mono">
          {receiptId}
        </Anchor>
      ),
  };
  return {
    issues: [
      {
        key: 'path',
        label: t('path'),
        heading: true,
        render: ({ path, row, column }) =>
          // Only programs know the paths of the API.
          isFile && row !== null ? (
            <span className={styles.nowrap}>
              {column === null ? t('place.row', { row }) : t('place.cell', { row, column })}
            </span>
          ) : (
            <span className="mono">{path}</span>
          ),
      },
      {
        key: 'severity',
        label: t('severity'),
        render: ({ severity, reason }) => (
          <ToneBadge tone={severity === 'error' ? 'urgent' : 'due'}>
            {t(severity === 'warning' ? 'warning' : reason === HELD_BACK ? 'heldBack' : 'error')}
          </ToneBadge>
        ),
      },
      { key: 'message', label: t('issue'), grow: true, render: (issue) => reasonText(causeOf(issue)) },
    ],
    created: [
      receiptColumn,
      { key: 'name', label: t('name'), grow: true, render: ({ name, buyer }) => name ?? buyer ?? '–' },
      {
        key: 'status',
        label: t('status'),
        render: ({ status }) => <StatusBadge status={status} />,
      },
    ],
    changes: [
      receiptColumn,
      { key: 'record', label: t('record'), render: ({ record }) => recordKindNameOf(record) },
      {
        key: 'changes',
        label: t('parts.changes'),
        grow: true,
        render: ({ before, after }) => <FieldChanges before={before} after={after} />,
      },
    ],
  };
}

/** A page of one of an import's lists. */
export function ImportList({ listPage, part }: { listPage: ImportListPage | undefined; part: Part }) {
  const t = useTranslations('imports');
  const columns = useColumns(listPage?.import.source === 'spreadsheet');
  return (
    <ListTable<Entry<Part>>
      label={t('lists')}
      // `listPage` was loaded for `part`, so its entries have the type of `part`.
      columns={columns[part] as Column<Entry<Part>>[]}
      rows={listPage?.entries as Entry<Part>[] | undefined}
      rowKey={(entry) =>
        'position' in entry ? String(entry.position) : 'id' in entry ? entry.id : entry.order_id
      }
    />
  );
}
