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
export function ImportFacts({ of: one }: { of: Import }) {
  const t = useTranslations('imports');
  const reasonText = useReasonText();
  const format = useFormatter();
  const sourceName = useSourceName();
  return (
    <>
      {one.failure && (
        <Alert color="red" variant="light" mb="md" c="var(--mantine-color-text)" title={t('message')}>
          {reasonText(one.failure)}
        </Alert>
      )}
      {!one.has_row_history && (
        <Alert color="gray" variant="light" mb="md" c="var(--mantine-color-text)">
          {t('historyDeleted')}
        </Alert>
      )}
      <Figures
        label={t('figures')}
        figures={[
          { label: t('rows'), value: format.number(one.rows) },
          {
            label: t('newOrders'),
            value: format.number(one.new_orders),
            note: t('newItems', { count: one.items_inserted }),
          },
          {
            label: t('changedOrders'),
            value: format.number(one.changed_orders),
            note: t('changedItems', { count: one.items_changed }),
          },
          { label: t('warnings'), value: format.number(one.warnings) },
          { label: t('errors'), value: format.number(one.errors) },
        ]}
      />
      <Box mt="md">
        <Facts
          facts={[
            { label: t('when'), value: <Instant value={one.created_at} /> },
            { label: t('shop'), value: one.account },
            { label: t('source'), value: sourceName(one.source) },
            { label: t('actor'), value: one.actor },
            ...(one.file_name === null ? [] : [{ label: t('file'), value: one.file_name }]),
            { label: t('duration'), value: t('ms', { ms: one.duration_ms }) },
            {
              label: t('hash'),
              value: <CopyId value={one.content_hash} shown={`${one.content_hash.slice(0, 12)}…`} />,
            },
            ...(one.request_id === null
              ? []
              : [{ label: t('request'), value: <CopyId value={one.request_id} /> }]),
            ...(one.undone_at === null
              ? []
              : [
                  {
                    label: t('undone'),
                    value: (
                      <>
                        <Instant value={one.undone_at} /> {one.undone_by}
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
