'use client';

import { Alert, Box } from '@mantine/core';
import { useFormatter, useTranslations } from 'next-intl';
import type { RouterOutputs } from '../../api/router-types';
import { Figures } from '../../ui/chart/figures';
import { useReasonText } from '../../ui/feedback/reason-text';
import { Facts } from '../../ui/page/detail-page';
import { CopyableText } from '../../ui/value/copyable-text';
import { Instant } from '../../ui/value/time/instant';
import { useSourceName } from '../import-names';

type Import = RouterOutputs['imports']['history']['entries'][number];

/** The facts and figures of an import. */
export function ImportFacts({ importEntry }: { importEntry: Import }) {
  const t = useTranslations('imports');
  const reasonText = useReasonText();
  const format = useFormatter();
  const sourceName = useSourceName();
  return (
    <>
      {importEntry.failure && (
        <Alert color="red" variant="light" mb="md" c="var(--mantine-color-text)" title={t('message')}>
          {reasonText(importEntry.failure)}
        </Alert>
      )}
      {!importEntry.has_row_history && (
        <Alert color="gray" variant="light" mb="md" c="var(--mantine-color-text)">
          {t('historyDeleted')}
        </Alert>
      )}
      <Figures
        label={t('figures')}
        figures={[
          { label: t('rows'), value: format.number(importEntry.rows + importEntry.held_rows) },
          {
            label: t('newOrders'),
            value: format.number(importEntry.new_orders),
            note: t('newItems', { count: importEntry.items_inserted }),
          },
          {
            label: t('changedOrders'),
            value: format.number(importEntry.changed_orders),
            note: t('changedItems', { count: importEntry.items_changed }),
          },
          { label: t('warnings'), value: format.number(importEntry.warnings) },
          importEntry.held_rows > 0
            ? {
                label: t('heldRows'),
                value: format.number(importEntry.held_rows),
                note: t('badCells', { count: importEntry.errors }),
              }
            : { label: t('errors'), value: format.number(importEntry.errors) },
        ]}
      />
      <Box mt="md">
        <Facts
          facts={[
            { label: t('when'), value: <Instant value={importEntry.created_at} /> },
            { label: t('shop'), value: importEntry.account },
            { label: t('source'), value: sourceName(importEntry.source) },
            { label: t('actor'), value: importEntry.actor },
            ...(importEntry.file_name === null ? [] : [{ label: t('file'), value: importEntry.file_name }]),
            { label: t('duration'), value: t('ms', { ms: importEntry.duration_ms }) },
            {
              label: t('hash'),
              value: (
                <CopyableText
                  value={importEntry.content_hash}
                  text={`${importEntry.content_hash.slice(0, 12)}…`}
                />
              ),
            },
            ...(importEntry.request_id === null
              ? []
              : [{ label: t('request'), value: <CopyableText value={importEntry.request_id} /> }]),
            ...(importEntry.undone_at === null
              ? []
              : [
                  {
                    label: t('undone'),
                    value: (
                      <>
                        <Instant value={importEntry.undone_at} /> {importEntry.undone_by}
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
