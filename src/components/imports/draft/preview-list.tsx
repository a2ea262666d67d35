'use client';

import { Anchor } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { useReasonText } from '../../ui/feedback/reason-text';
import { type Column, ListTable } from '../../ui/list/table/list-table';
import { Money } from '../../ui/value/money';
import { StatusBadge } from '../../ui/value/status-badge';
import { Instant } from '../../ui/value/time/instant';
import styles from '../imports.module.css';
import { OrderChanges } from '../order-changes';
import { EditableCell } from './editable-cell';
import { usePositionName } from './row-position';
import { useCellFixes } from './use-cell-fixes';

type Draft = RouterOutputs['imports']['draft'];
type Preview = RouterOutputs['imports']['preview'];
type Part = Exclude<Preview['part'], 'rejected'>;
type Entry<P extends Part> = Extract<Preview, { part: P }>['entries'][number];

/** Returns the columns of each list of the preview, except the list of rejected rows. */
function useColumns(
  draft: Draft,
  fixCell: ReturnType<typeof useCellFixes>['fixCell'],
): { [P in Part]: Column<Entry<P>>[] } {
  const t = useTranslations('import');
  const reasonText = useReasonText();
  const { prefix } = useBackOffice();
  const positionName = usePositionName(draft.unit);
  const positionColumn = {
    key: 'place',
    label: t('columns.place'),
    render: (entry: { line: number | null; address?: string | null }) => (
      <span className={styles.nowrap}>{positionName(entry)}</span>
    ),
  };
  const receiptColumn = {
    key: 'receipt',
    label: t('columns.receipt'),
    heading: true,
    render: ({ receipt_id: receiptId }: { receipt_id: string }) => <span className="mono">{receiptId}</span>,
  };
  const linkedReceiptColumn = {
    ...receiptColumn,
    render: ({ order_id: orderId, receipt_id: receiptId }: { order_id: string; receipt_id: string }) => (
      <Anchor component={Link} href={`${prefix}/orders/${orderId}`} prefetch={false} className="mono">
        {receiptId}
      </Anchor>
    ),
  };
  return {
    new: [
      receiptColumn,
      positionColumn,
      {
        key: 'sold',
        label: t('columns.sold'),
        render: ({ sale_date: soldAt }) => <Instant value={soldAt} dateOnly isSale />,
      },
      { key: 'name', label: t('columns.name'), render: ({ name, buyer }) => name ?? buyer ?? '–' },
      { key: 'country', label: t('columns.country'), render: ({ country_name: name }) => name ?? '–' },
      {
        key: 'status',
        label: t('columns.status'),
        render: ({ status }) => <StatusBadge status={status} />,
      },
      { key: 'items', label: t('columns.items'), numeric: true, render: ({ items }) => items },
      {
        key: 'value',
        label: t('columns.value'),
        numeric: true,
        render: ({ value, currency }) => <Money amount={value} currency={currency} />,
      },
    ],
    updated: [
      linkedReceiptColumn,
      positionColumn,
      {
        key: 'changes',
        label: t('columns.changes'),
        grow: true,
        render: (entry) => <OrderChanges order={entry} />,
      },
    ],
    unchanged: [linkedReceiptColumn, positionColumn],
    warnings: [
      { ...positionColumn, heading: true },
      {
        key: 'column',
        label: t('columns.column'),
        render: ({ column, field }) =>
          (column !== null && draft.header[column] && (
            <span className={styles.nowrap}>{draft.header[column]}</span>
          )) || <span className="mono">{field}</span>,
      },
      {
        key: 'cell',
        label: t('columns.cell'),
        render: (warning) => {
          const { row, column, cell } = warning;
          if (column === null || cell === null) return null;
          const name = draft.header[column] || t('columns.unnamed', { column: column + 1 });
          return (
            <EditableCell
              key={cell}
              label={t('rejected.cell', { column: name, place: positionName(warning) })}
              reasonId={`warning-${row}-${column}`}
              value={cell}
              onFix={(value, focus) => fixCell({ row, column, value }, focus)}
            />
          );
        },
      },
      {
        key: 'reason',
        label: t('columns.warning'),
        grow: true,
        render: (warning) => <div id={`warning-${warning.row}-${warning.column}`}>{reasonText(warning)}</div>,
      },
    ],
  };
}

interface Props {
  /** Undefined until loaded. */
  preview: Preview | undefined;
  part: Part;
  draft: Draft;
}

/** A page of one of the preview's lists, except the rejected rows, which have their own table. */
export function PreviewList({ preview, part, draft }: Props) {
  const t = useTranslations('import');
  const { listRef, fixCell } = useCellFixes(draft.id, preview?.entries);
  const columns = useColumns(draft, fixCell);
  if (preview?.entries.length === 0) return null;
  return (
    <div ref={listRef}>
      <ListTable<Entry<Part>>
        label={t('preview')}
        // `preview` was loaded for `part`, so its entries have the type of `part`.
        columns={columns[part] as Column<Entry<Part>>[]}
        rows={preview?.entries as Entry<Part>[] | undefined}
        rowKey={(entry) =>
          `${entry.row}-${'column' in entry ? `${entry.column}-${entry.reason}` : entry.receipt_id}`
        }
      />
    </div>
  );
}
