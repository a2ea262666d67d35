'use client';

import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../../api/router-types';
import { useReasonText } from '../../ui/feedback/reason-text';
import { ListTable } from '../../ui/list/table/list-table';
import { Section } from '../../ui/page/detail-page';

/** The entries of a callback that were skipped, and why; hidden if there are none. */
export function SkippedEntries({
  callback: { left_out: skippedEntries, left_out_count: count },
}: {
  callback: Pick<RouterOutputs['callbacks']['one'], 'left_out' | 'left_out_count'>;
}) {
  const t = useTranslations('tracking');
  const reasonText = useReasonText();
  if (count === 0) return null;
  return (
    <Section
      title={t('callback.leftOut')}
      description={
        count > skippedEntries.length
          ? t('callback.leftOutShown', { shown: skippedEntries.length, count })
          : undefined
      }
    >
      <ListTable
        label={t('callback.leftOut')}
        rows={skippedEntries}
        rowKey={({ path }) => path}
        columns={[
          {
            key: 'path',
            label: t('callback.where'),
            heading: true,
            render: ({ path }) => <span className="mono">{path}</span>,
          },
          {
            key: 'number',
            label: t('callbacks.number'),
            render: ({ tracking_number: number }) => <span className="mono">{number ?? '–'}</span>,
          },
          { key: 'reason', label: t('callback.reason'), render: ({ reason }) => reasonText(reason) },
        ]}
      />
    </Section>
  );
}
