'use client';

import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { hasPermission } from '../../../server/identity/roles';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { LoadError } from '../../ui/list/list-states';
import { ListTable } from '../../ui/list/table/list-table';
import { PageHeader } from '../../ui/page/page-header';
import { Instant } from '../../ui/value/time/instant';

type Row = Pick<
  RouterOutputs['prompts']['list']['prompts'][number],
  'shop_name' | 'versions' | 'published' | 'draft'
>;

/** Each shop's prompt: the live version and the draft. */
export function PromptsPage() {
  const t = useTranslations('messages');
  const trpc = useTRPC();
  const format = useFormatter();
  const { prefix, user } = useBackOffice();
  const { data, error, refetch } = useQuery(trpc.prompts.list.queryOptions(undefined, SHOWS_OWN_ERROR));
  const rows: Row[] | undefined = data && [
    ...data.prompts,
    ...data.without.map((shop) => ({ shop_name: shop, versions: 0, published: null, draft: null })),
  ];
  const canWrite = hasPermission(user.role, 'prompts.write');
  const hrefOf = (shop: string, view?: string) =>
    `${prefix}/messages/prompt?${new URLSearchParams({ shop, ...(view ? { view } : {}) })}`;
  const versionText = (promptVersion: Row['published']) =>
    promptVersion === null ? '–' : t('prompt.version', { version: promptVersion.version });
  return (
    <>
      <PageHeader title={t('prompts.title')} description={t('prompts.description')} />
      {error && !data ? (
        <LoadError error={error} onRetry={refetch} />
      ) : rows?.length === 0 ? (
        <Stack gap="sm" py="xl" align="center" ta="center">
          <Title order={2}>{t('prompts.empty')}</Title>
          {hasPermission(user.role, 'shops.write') && (
            <>
              <Text c="dimmed" maw={480}>
                {t('prompts.emptyHint')}
              </Text>
              <Button component={Link} prefetch={false} href={`${prefix}/shops`}>
                {t('prompts.addShop')}
              </Button>
            </>
          )}
        </Stack>
      ) : (
        <ListTable
          label={t('prompts.title')}
          rows={rows}
          rowKey={({ shop_name: shop }) => shop}
          columns={[
            {
              key: 'shop',
              label: t('prompts.shop'),
              heading: true,
              render: ({ shop_name: shop }) => (
                <Anchor component={Link} prefetch={false} href={hrefOf(shop)}>
                  {shop}
                </Anchor>
              ),
            },
            {
              key: 'live',
              label: t('prompts.live'),
              render: (row) =>
                row.versions > 0 ? (
                  versionText(row.published)
                ) : canWrite ? (
                  <Anchor component={Link} prefetch={false} href={hrefOf(row.shop_name, 'edit')}>
                    {t('prompts.write')}
                  </Anchor>
                ) : (
                  t('prompts.without')
                ),
            },
            {
              key: 'since',
              label: t('prompts.published'),
              render: ({ published }) => <Instant value={published?.published_at ?? null} />,
            },
            { key: 'draft', label: t('prompts.draft'), render: ({ draft }) => versionText(draft) },
            {
              key: 'versions',
              label: t('prompts.versions'),
              numeric: true,
              render: ({ versions }) => format.number(versions),
            },
          ]}
        />
      )}
    </>
  );
}
