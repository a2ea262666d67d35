'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { ListTable } from '../ui/list/table/list-table';
import { useCategoryName } from './category-name';

type Change = RouterOutputs['catalog']['previewImport']['changes'][number];

/** What an import would add and change, each changed field with its current value. */
export function CatalogChanges({
  changes,
  remainingCount,
}: {
  changes: readonly Change[];
  remainingCount: number;
}) {
  const t = useTranslations('catalog');
  const categoryName = useCategoryName();
  return (
    <>
      <ListTable<Change>
        label={t('import.preview')}
        rows={changes}
        rowKey={({ code }) => code}
        columns={[
          {
            key: 'code',
            label: t('code'),
            heading: true,
            render: ({ code }) => <span className="mono">{code}</span>,
          },
          {
            key: 'kind',
            label: t('import.kind'),
            render: ({ kind, before }) =>
              kind === 'inserted'
                ? t('import.inserted')
                : before?.archived
                  ? t('import.restored')
                  : t('import.updated'),
          },
          {
            key: 'category',
            label: t('category'),
            render: ({ before, after }) => (
              <ReplacedValue
                before={before && categoryName(before.category)}
                after={categoryName(after.category)}
              />
            ),
          },
          {
            key: 'name',
            label: t('name'),
            render: ({ before, after }) => <ReplacedValue before={before?.name} after={after.name} />,
          },
        ]}
      />
      {remainingCount > 0 && (
        <Text c="dimmed" mt="sm">
          {t('import.more', { count: remainingCount })}
        </Text>
      )}
    </>
  );
}

function ReplacedValue({ before, after }: { before: string | null | undefined; after: string | null }) {
  return (
    <>
      {before && before !== after && (
        <Text span inherit c="dimmed" td="line-through" mr="sm">
          {before}
        </Text>
      )}
      {after ?? '–'}
    </>
  );
}
