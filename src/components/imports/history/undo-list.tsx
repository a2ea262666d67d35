'use client';

import { Anchor } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';
import type { RouterOutputs } from '../../api/router-types';
import { FieldChanges, splitBeforeAndAfter } from '../../orders/page/timeline/field-changes';
import { useBackOffice } from '../../shell/back-office';
import { ListTable } from '../../ui/list/table/list-table';
import { useRecordKindName } from '../record-names';

type UndoEntry = RouterOutputs['imports']['undoPreview']['entries'][number];

const REASON_TEXTS = messageKeys('imports', {
  user: 'undo.reasons.person',
  tracking: 'undo.reasons.tracking',
  changed: 'undo.reasons.changed',
});

/** The records that an undo changes, leaves alone or does not find. */
export function UndoList({
  entries,
  isDone,
}: {
  entries: readonly UndoEntry[] | undefined;
  isDone: boolean;
}) {
  const t = useTranslations('imports');
  const { prefix } = useBackOffice();
  const recordKindNameOf = useRecordKindName();
  const rows = entries?.map((entry, index) => ({ entry, key: String(index) }));
  if (rows?.length === 0) return null;
  return (
    <ListTable<{ entry: UndoEntry; key: string }>
      label={t('undo.records')}
      rows={rows}
      rowKey={({ key }) => key}
      columns={[
        {
          key: 'receipt',
          label: t('receipt'),
          heading: true,
          render: ({ entry: { receipt_id: receiptId, order_id: orderId, missing, list, record, work } }) => {
            if (receiptId === null || orderId === null)
              return list === 'missing' ? t('undo.gone', { count: missing ?? 1 }) : '–';
            const isRemoved = isDone && record === 'order' && work === 'remove';
            return isRemoved ? (
              <span className="mono">{receiptId}</span>
            ) : (
              <Anchor component={Link} prefetch={false} href={`${prefix}/orders/${orderId}`} className="mono">
                {receiptId}
              </Anchor>
            );
          },
        },
        { key: 'record', label: t('record'), render: ({ entry }) => recordKindNameOf(entry.record) },
        {
          key: 'what',
          label: t('undo.what'),
          grow: true,
          render: ({ entry }) => <UndoDetails entry={entry} />,
        },
      ]}
    />
  );
}

/** What the undo does to a record, or why the record is left alone. */
function UndoDetails({ entry }: { entry: UndoEntry }) {
  const t = useTranslations('imports');
  const { prefix } = useBackOffice();
  const { list, work, reason, by_import: laterImportId, fields, missing, order_id: orderId } = entry;
  // The first column has the count if the entry stands for orders.
  if (list === 'missing') return t('undo.notThere', { count: orderId === null ? 1 : (missing ?? 1) });
  if (list === 'undone' && work === 'remove') return t('undo.gets');
  return (
    <>
      {reason === 'import' && laterImportId !== null && (
        <Anchor component={Link} prefetch={false} href={`${prefix}/imports/${laterImportId}`}>
          {t('undo.reasons.import', { id: laterImportId })}
        </Anchor>
      )}
      {reason !== null && reason !== 'import' && t(REASON_TEXTS[reason])}
      {fields && (
        <FieldChanges
          {...splitBeforeAndAfter(
            // A restored field returns from its current to its earlier value; a kept field has been changed since the import.
            fields.map(({ name, before, after, present }) =>
              list === 'undone'
                ? { name, before: present, after: before }
                : { name, before: after, after: present },
            ),
          )}
        />
      )}
    </>
  );
}
