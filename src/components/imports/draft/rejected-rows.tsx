'use client';

import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../../api/router-types';
import { useDialogState } from '../../ui/dialog/dialog-state';
import { useReasonText } from '../../ui/feedback/reason-text';
import { ListTable } from '../../ui/list/table/list-table';
import styles from '../imports.module.css';
import { EditableCell } from './editable-cell';
import { FullRowDrawer } from './full-row-drawer';
import { cellTextOf, type RejectedRow } from './rejected-row';
import { usePositionName } from './row-position';
import { useCellFixes } from './use-cell-fixes';

type Draft = RouterOutputs['imports']['draft'];

/** One problem of a row, or a row without problems that is held back with its order. */
type Entry = { row: RejectedRow; problem: RejectedRow['problems'][number] | null; key: string };

const entriesOf = (row: RejectedRow): Entry[] =>
  row.problems.length === 0
    ? [{ row, problem: null, key: String(row.row) }]
    : row.problems.map((problem, index) => ({
        row,
        problem,
        key: `${row.row}-${problem.column ?? index}`,
      }));

interface Props {
  draft: Draft;
  /** Undefined until loaded. */
  rows: readonly RejectedRow[] | undefined;
  onFixed: () => void;
}

/** The rows that the import cannot accept, with bad cells that can be fixed in place. */
export function RejectedRows({ draft, rows, onFixed }: Props) {
  const t = useTranslations('import');
  const reasonText = useReasonText();
  const positionName = usePositionName(draft.unit);
  const fullRowDrawer = useDialogState<RejectedRow>();
  const { listRef, fixCell, fixCells } = useCellFixes(draft.id, rows, onFixed);
  const nameOf = (column: number) => draft.header[column] || t('columns.unnamed', { column: column + 1 });
  if (rows?.length === 0) return null;
  return (
    <div ref={listRef}>
      <ListTable<Entry>
        label={t('parts.rejected')}
        rows={rows?.flatMap(entriesOf)}
        rowKey={({ key }) => key}
        columns={[
          {
            key: 'place',
            label: t('columns.place'),
            heading: true,
            render: ({ row, problem }) => (
              <span className={styles.nowrap}>{positionName(problem ?? row)}</span>
            ),
          },
          {
            key: 'receipt',
            label: t('columns.receipt'),
            render: ({ row: { receipt_id: receiptId } }) =>
              receiptId ? <span className="mono">{receiptId}</span> : '–',
          },
          {
            key: 'column',
            label: t('columns.column'),
            render: ({ problem }) =>
              problem && (problem.column === null ? problem.field : nameOf(problem.column)),
          },
          {
            key: 'cell',
            label: t('columns.cell'),
            render: ({ row, problem, key }) => {
              if (problem === null || problem.column === null) return null;
              const { column } = problem;
              const value = cellTextOf(row, column);
              return (
                <EditableCell
                  key={value}
                  label={t('rejected.cell', { column: nameOf(column), place: positionName(row) })}
                  reasonId={`reason-${key}`}
                  value={value}
                  isRejected
                  onFix={(text, focus) => fixCell({ row: row.row, column, value: text }, focus)}
                />
              );
            },
          },
          {
            key: 'reason',
            label: t('columns.reason'),
            render: ({ problem, key }) => (
              <div id={`reason-${key}`} className={styles.reason}>
                {problem ? reasonText(problem) : t('rejected.held')}
              </div>
            ),
          },
          {
            key: 'whole',
            label: t('rejected.whole'),
            actions: true,
            render: ({ row }) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('rejected.wholeOf', { place: positionName(row) })}
                onClick={() => fullRowDrawer.open(row)}
              >
                {t('rejected.whole')}
              </Button>
            ),
          },
        ]}
      />
      {fullRowDrawer.subject && (
        <FullRowDrawer
          key={fullRowDrawer.subject.row}
          opened={fullRowDrawer.opened}
          onClose={fullRowDrawer.close}
          title={t('rejected.wholeOf', { place: positionName(fullRowDrawer.subject) })}
          row={fullRowDrawer.subject}
          columnCount={draft.header.length}
          nameOf={nameOf}
          onFix={fixCells}
        />
      )}
    </div>
  );
}
