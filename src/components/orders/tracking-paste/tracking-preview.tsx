'use client';

import { Button, NativeSelect, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { messageKeys } from '../../../i18n/message-keys';
import { useReasonText } from '../../ui/feedback/reason-text';
import { ListTable } from '../../ui/list/table/list-table';
import type { LineNumbers } from './line-numbers';
import { type PastedRow, rowKeyOf } from './tracking-paste';
import type { CandidateShops } from './tracking-paste-submission';
import styles from './tracking-preview.module.css';

const PROBLEM_TEXTS = messageKeys('order-tracking', {
  no_receipt: 'problems.noReceipt',
  no_number: 'problems.noNumber',
  no_tab: 'problems.noTab',
  no_comma: 'problems.noComma',
  no_semicolon: 'problems.noSemicolon',
  damaged: 'problems.damaged',
  refused_receipt: 'problems.refusedReceipt',
  refused_number: 'problems.refusedNumber',
  refused_carrier: 'problems.refusedCarrier',
  long: 'problems.long',
});

/** How many rows are shown at first; those with a problem come first. */
const INITIAL_ROW_COUNT = 100;

/** The rows read from a paste, with their problems. */
export function TrackingPreview({
  rows,
  lineNumbers,
  refusals,
  chosenShopIds,
  onChoose,
}: {
  rows: readonly PastedRow[];
  /** The lines of the text by their numbers in the original paste; null if they are numbered as in the text. */
  lineNumbers: LineNumbers | null;
  /** The candidate shops of each row that the service refused, by the row's key. */
  refusals: ReadonlyMap<string, CandidateShops>;
  /** The ids of the shops chosen for refused rows, by the row's key. */
  chosenShopIds: ReadonlyMap<string, number>;
  onChoose: (row: PastedRow, shopId: number) => void;
}) {
  const t = useTranslations('order-tracking');
  const [showsAll, setShowsAll] = useState(false);
  const reasonText = useReasonText();
  const messageOf = (row: PastedRow) => {
    const { problem, reason } = row;
    if (problem) return t(PROBLEM_TEXTS[problem], { reason: reason === null ? '' : reasonText(reason) });
    const shops = refusals.get(rowKeyOf(row));
    if (!shops) return undefined;
    if (shops.length === 0) return t('problems.noOrder');
    return t(shops.length === 1 ? 'problems.otherShop' : 'problems.severalShops');
  };
  const sortedRows = [...rows].sort((a, b) => Number(!messageOf(a)) - Number(!messageOf(b)));
  const visibleRows = showsAll ? sortedRows : sortedRows.slice(0, INITIAL_ROW_COUNT);
  return (
    <>
      <ListTable<PastedRow>
        label={t('preview')}
        rows={visibleRows}
        rowKey={({ line }) => String(line)}
        columns={[
          {
            key: 'line',
            label: t('line'),
            numeric: true,
            render: ({ line }) => (lineNumbers ? (lineNumbers[line - 1] ?? '–') : line),
          },
          {
            key: 'receipt',
            label: t('receipt'),
            heading: true,
            render: ({ receipt_id: receiptId }) => <span className="mono">{receiptId || '–'}</span>,
          },
          {
            key: 'number',
            label: t('number'),
            render: ({ tracking_number: number }) => <span className="mono">{number || '–'}</span>,
          },
          {
            key: 'carrier',
            label: t('carrier'),
            render: ({ carrier_code: carrierCode }) => carrierCode || '–',
          },
          {
            key: 'problem',
            label: t('problem'),
            render: (row) => {
              const message = messageOf(row);
              const shops = row.problem === null ? (refusals.get(rowKeyOf(row)) ?? []) : [];
              return message ? (
                <>
                  <span className={styles.problem}>
                    <IconAlertCircle size={16} aria-hidden />
                    {message}
                  </span>
                  {shops.length > 0 && (
                    <NativeSelect
                      aria-label={t('shopOf', { receipt: row.receipt_id })}
                      value={String(chosenShopIds.get(rowKeyOf(row)) ?? '')}
                      onChange={({ currentTarget: { value } }) => onChoose(row, Number(value))}
                      data={[
                        ...(chosenShopIds.has(rowKeyOf(row)) ? [] : [{ value: '', label: t('chooseShop') }]),
                        ...shops.map(({ id, name }) => ({ value: String(id), label: name })),
                      ]}
                    />
                  )}
                </>
              ) : (
                <Text span c="dimmed">
                  {t('formatRight')}
                </Text>
              );
            },
          },
        ]}
      />
      {rows.length > visibleRows.length && (
        <Button variant="subtle" onClick={() => setShowsAll(true)}>
          {t('showAll', { count: rows.length })}
        </Button>
      )}
    </>
  );
}
