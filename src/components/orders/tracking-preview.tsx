'use client';

import { Button, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { messageKeys } from '../../i18n/message-keys';
import { useReasonText } from '../ui/feedback/reason-text';
import { ListTable } from '../ui/list/list-table';
import type { PastedRow } from './tracking-paste';
import styles from './tracking-preview.module.css';

const PROBLEMS = messageKeys('order-tracking', {
  no_receipt: 'problems.noReceipt',
  no_number: 'problems.noNumber',
  damaged: 'problems.damaged',
  refused: 'problems.refused',
  long: 'problems.long',
});

/** How many rows are shown; those with a problem come first, so that none is missed. */
const MOST_SHOWN = 100;

/** The rows understood from a paste, with their problems. */
export function TrackingPreview({
  rows,
  refused,
}: {
  rows: readonly PastedRow[];
  /** The service's refusals by line. */
  refused: ReadonlyMap<number, string>;
}) {
  const t = useTranslations('order-tracking');
  const [all, setAll] = useState(false);
  const reasonText = useReasonText();
  const messageOf = ({ line, problem, reason }: PastedRow) =>
    problem ? t(PROBLEMS[problem], { reason: reason === null ? '' : reasonText(reason) }) : refused.get(line);
  const ordered = [...rows].sort((a, b) => Number(!messageOf(a)) - Number(!messageOf(b)));
  const shown = all ? ordered : ordered.slice(0, MOST_SHOWN);
  return (
    <>
      <ListTable<PastedRow>
        label={t('preview')}
        rows={shown}
        rowKey={({ line }) => String(line)}
        columns={[
          { key: 'line', label: t('line'), figures: true, render: ({ line }) => line },
          {
            key: 'receipt',
            label: t('receipt'),
            heading: true,
            render: ({ receipt_id: receipt }) => <span className="mono">{receipt || '–'}</span>,
          },
          {
            key: 'number',
            label: t('number'),
            render: ({ tracking_number: number }) => <span className="mono">{number || '–'}</span>,
          },
          {
            key: 'carrier',
            label: t('carrier'),
            render: ({ carrier_code: carrier }) => carrier || '–',
          },
          {
            key: 'problem',
            label: t('problem'),
            render: (row) => {
              const message = messageOf(row);
              return message ? (
                <span className={styles.problem}>
                  <IconAlertCircle size={16} aria-hidden />
                  {message}
                </span>
              ) : (
                <Text span c="dimmed">
                  {t('fine')}
                </Text>
              );
            },
          },
        ]}
      />
      {rows.length > shown.length && (
        <Button variant="subtle" onClick={() => setAll(true)}>
          {t('showAll', { count: rows.length })}
        </Button>
      )}
    </>
  );
}
