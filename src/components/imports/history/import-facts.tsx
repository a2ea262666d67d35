'use client';

import { Alert, Box } from '@mantine/core';
import { useFormatter, useTranslations } from 'next-intl';
import type { RouterOutputs } from '../../api/router-types';
import { Figures } from '../../ui/chart/figures';
import { useReasonText } from '../../ui/feedback/reason-text';
import { Facts } from '../../ui/page/detail-page';
import { CopyId } from '../../ui/value/copy-id';
import { Instant } from '../../ui/value/instant';
import { useSourceName } from '../import-names';

type Import = RouterOutputs['imports']['history']['entries'][number];

/** The facts and figures of an import. */
export function ImportFacts({ entry }: { entry: Import }) {
  const t = useTranslations('imports');
  const reasonText = useReasonText();
  const format = useFormatter();
  const sourceName = useSourceName();
  return (
    <>
      {entry.failure && (
        <Alert color="red" variant="light" mb="md" c="var(--mantine-color-text)" title={t('message')}>
          {reasonText(entry.failure)}
        </Alert>
      )}
      {!entry.has_row_history && (
        <Alert color="gray" variant="light" mb="md" c="var(--mantine-color-text)">
          {t('historyDeleted')}
        </Alert>
      )}
      <Figures
        label={t('figures')}
        figures={[
          { label: t('rows'), value: format.number(entry.rows) },
          {
            label: t('newOrders'),
            value: format.number(entry.new_orders),
            note: t('newItems', { count: entry.items_inserted }),
          },
          {
            label: t('changedOrders'),
            value: format.number(entry.changed_orders),
            note: t('changedItems', { count: entry.items_changed }),
          },
          { label: t('warnings'), value: format.number(entry.warnings) },
          { label: t('errors'), value: format.number(entry.errors) },
        ]}
      />
      <Box mt="md">
        <Facts
          facts={[
            { label: t('when'), value: <Instant value={entry.created_at} /> },
            { label: t('shop'), value: entry.account },
            { label: t('source'), value: sourceName(entry.source) },
            { label: t('actor'), value: entry.actor },
            ...(entry.file_name === null ? [] : [{ label: t('file'), value: entry.file_name }]),
            { label: t('duration'), value: t('ms', { ms: entry.duration_ms }) },
            {
              label: t('hash'),
              value: <CopyId value={entry.content_hash} text={`${entry.content_hash.slice(0, 12)}…`} />,
            },
            ...(entry.request_id === null
              ? []
              : [{ label: t('request'), value: <CopyId value={entry.request_id} /> }]),
            ...(entry.undone_at === null
              ? []
              : [
                  {
                    label: t('undone'),
                    value: (
                      <>
                        <Instant value={entry.undone_at} /> {entry.undone_by}
                      </>
                    ),
                  },
                ]),
          ]}
        />
      </Box>
    </>
  );
}
