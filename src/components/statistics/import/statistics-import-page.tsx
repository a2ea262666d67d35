'use client';

import { Alert, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { plusDays } from '../../../server/core/days';
import { LISTING_FIELDS, SHOP_FIELDS } from '../../../server/statistics/fields';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import type { RouterOutputs } from '../../api/router-types';
import { useNewYorkToday } from '../../shell/current-time';
import { CsvImport } from '../../ui/form/csv-import';
import { useListUrl } from '../../ui/list/use-list-url';
import { PageHeader } from '../../ui/page/page-header';
import { createSampleUpsertRequest } from './sample-upsert-request';

const CSV_HEADERS = {
  shop: ['shop_id', 'date', ...Object.keys(SHOP_FIELDS), 'extra'].join(','),
  listing: ['listing_id', 'shop_id', 'date', ...Object.keys(LISTING_FIELDS), 'extra'].join(','),
};

/** Imports daily statistics of shops or listings from CSV text, all or nothing, once the user has seen what would change. */
export function StatisticsImportPage() {
  const t = useTranslations('statistics');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const url = useListUrl(['kind']);
  const yesterday = plusDays(useNewYorkToday(), -1);
  const kind = url.filters.kind === 'listing' ? 'listing' : 'shop';
  const { mutateAsync: importDays } = useMutation(
    trpc.statistics.importDays.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.statistics.pathFilter()),
      ...SHOWS_OWN_ERROR,
    }),
  );
  const checkDays = useMutation(trpc.statistics.previewDays.mutationOptions(SHOWS_OWN_ERROR));
  const readFile = useMutation(trpc.statistics.readFile.mutationOptions(SHOWS_OWN_ERROR));
  return (
    <>
      <PageHeader title={t('title')} api={createSampleUpsertRequest(kind, { day: yesterday })} />
      <Stack gap="md" maw={960}>
        <Text c="dimmed" maw={720}>
          {t('import.description', { kind })}
        </Text>
        <NativeSelect
          label={t('kind')}
          maw={320}
          value={kind}
          data={[
            { value: 'shop', label: t('kinds.shop') },
            { value: 'listing', label: t('kinds.listing') },
          ]}
          onChange={({ currentTarget: { value } }) =>
            url.setFilters({ kind: value === 'listing' ? value : undefined })
          }
        />
        <CsvImport
          draftKey="statistics import"
          kind={kind}
          header={CSV_HEADERS[kind]}
          decodeFile={(file) => readFile.mutateAsync({ file })}
          onCheck={async (csv) => <Preview {...(await checkDays.mutateAsync({ kind, csv }))} />}
          onImport={async (csv) => t('import.done', await importDays({ kind, csv }))}
        />
      </Stack>
    </>
  );
}

/** What an import would do, with a warning about shops that are probably mistyped. */
function Preview({
  inserted,
  stored,
  unknown_shop_ids: unknownIds,
  unknown_shop_count: unknownCount,
}: RouterOutputs['statistics']['previewDays']) {
  const t = useTranslations('statistics');
  const format = useFormatter();
  const more = unknownCount > unknownIds.length ? '…' : '';
  const ids = format.list(unknownIds, { style: 'narrow' }) + more;
  return (
    <Stack gap="sm">
      <Text>{t('import.preview', { inserted, stored })}</Text>
      {unknownCount > 0 && (
        <Alert color="yellow" variant="light" c="var(--mantine-color-text)">
          {t('import.unknownShops', { count: unknownCount, ids })}
        </Alert>
      )}
    </Stack>
  );
}
