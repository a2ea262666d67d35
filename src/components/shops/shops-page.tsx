'use client';

import { Anchor, Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { hasPermission } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { useBackOffice } from '../shell/back-office';
import { useDialogState } from '../ui/dialog/dialog-state';
import { FormDrawer } from '../ui/form/form-drawer';
import { SearchAndStateFilters } from '../ui/list/filter/list-filters';
import { matchesSearch } from '../ui/list/filter/list-match';
import { ListPage } from '../ui/list/list-page';
import { RowMenu } from '../ui/list/table/row-menu';
import { useListUrl } from '../ui/list/use-list-url';
import { useFormInUrl } from '../ui/url/use-form-in-url';
import { CopyableText } from '../ui/value/copyable-text';
import { StatusBadge, useStatusOptions } from '../ui/value/status-badge';
import { Instant } from '../ui/value/time/instant';
import { DeleteShopDrawer } from './delete-shop-drawer';

type Shop = RouterOutputs['shops']['list'][number];

const stateOf = ({ archived_at, deleting_at }: Shop) =>
  deleting_at ? 'deleting' : archived_at ? 'archived' : 'active';

const valuesOf = (shop: Shop | null) => ({
  name: shop?.name ?? '',
  shop_id: shop?.shop_id ?? '',
  currency: shop?.currency ?? '',
  time_zone: shop?.time_zone ?? '',
});

const downloadPathOf = ({ id }: Shop) => `/api/downloads/shop?id=${id}`;

/** The shops, with what is stored for each: orders, days of statistics, a prompt. */
export function ShopsPage() {
  const t = useTranslations('shops');
  const format = useFormatter();
  const trpc = useTRPC();
  const statusOptions = useStatusOptions();
  const queryClient = useQueryClient();
  const { prefix, user } = useBackOffice();
  const canWrite = hasPermission(user.role, 'shops.write');
  const url = useListUrl(['search', 'state']);
  const { search, state } = url.filters;
  const { data, ...query } = useQuery(trpc.shops.list.queryOptions(undefined, SHOWS_OWN_ERROR));
  const reload = () => queryClient.invalidateQueries(trpc.shops.pathFilter());
  const callOptions = { onSuccess: reload, ...SHOWS_OWN_ERROR };
  const create = useMutation(trpc.shops.create.mutationOptions(callOptions));
  const update = useMutation(trpc.shops.update.mutationOptions(callOptions));
  const archive = useMutation(trpc.shops.archive.mutationOptions({ onSuccess: reload }));
  const restore = useMutation(trpc.shops.restore.mutationOptions({ onSuccess: reload }));
  const form = useDialogState<{ shop: Shop | null }>();
  const editedShop = form.subject?.shop;
  const deleteDrawer = useDialogState<Shop>();
  useFormInUrl(canWrite && data !== undefined, (formId) =>
    form.open({ shop: data?.find(({ id }) => String(id) === formId) ?? null }),
  );
  const addButton = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => form.open({ shop: null })}>
      {t('create')}
    </Button>
  );
  const canChange = (shop: Shop) => canWrite && shop.deleting_at === null;
  const isShown = (shop: Shop) =>
    matchesSearch(search, [shop.name, shop.shop_id, ...shop.former_names]) &&
    (!state || (state === 'archived') === (shop.archived_at !== null));
  return (
    <>
      <ListPage<Shop>
        id="shops"
        title={t('title')}
        description={t('description')}
        actions={canWrite && addButton}
        url={url}
        filters={
          <SearchAndStateFilters
            url={url}
            searchLabel={t('search')}
            stateLabel={t('state')}
            stateOptions={statusOptions(['active', 'archived'])}
          />
        }
        query={{ ...query, data: data && { rows: data.filter(isShown) } }}
        rowKey={({ id }) => String(id)}
        columns={[
          {
            key: 'name',
            label: t('name'),
            heading: true,
            render: ({ name, former_names: formerNames }) => (
              <>
                {name}
                {formerNames.length > 0 && (
                  <Text size="sm" c="dimmed">
                    {t('formerNames', { names: format.list(formerNames) })}
                  </Text>
                )}
              </>
            ),
          },
          {
            key: 'shopId',
            label: t('shopId'),
            render: ({ shop_id: id }) => (id ? <CopyableText value={id} /> : '–'),
          },
          {
            key: 'currency',
            label: t('currency'),
            render: ({ currency }) => currency ?? t('noCurrency'),
          },
          { key: 'timeZone', label: t('timeZone'), hidden: true, render: ({ time_zone: zone }) => zone },
          {
            key: 'orders',
            label: t('orders'),
            numeric: true,
            render: ({ id, orders }) =>
              orders === 0 ? (
                '0'
              ) : (
                <Anchor component={Link} prefetch={false} href={`${prefix}/orders?shop=${id}`}>
                  {format.number(orders)}
                </Anchor>
              ),
          },
          {
            key: 'lastImport',
            label: t('lastImport'),
            render: ({ last_import: lastImport }) => <Instant value={lastImport?.at ?? null} />,
          },
          {
            key: 'statisticDays',
            label: t('statisticDays'),
            numeric: true,
            render: ({ statistic_days: days }) => format.number(days),
          },
          {
            key: 'prompt',
            label: t('prompt'),
            render: ({ has_prompt: hasPrompt }) => (hasPrompt ? t('promptKept') : '–'),
          },
          {
            key: 'state',
            label: t('state'),
            render: (shop) => <StatusBadge status={stateOf(shop)} />,
          },
          { key: 'id', label: t('accountId'), numeric: true, hidden: true, render: ({ id }) => id },
          {
            key: 'actions',
            label: t('actions'),
            actions: true,
            render: (shop) => (
              <RowMenu
                name={shop.name}
                actions={[
                  canWrite && { label: t('downloadAll'), fileUrl: downloadPathOf(shop) },
                  canChange(shop) && { label: t('edit'), onClick: () => form.open({ shop }) },
                  canChange(shop) &&
                    (shop.archived_at
                      ? { label: t('restore'), onClick: () => restore.mutate({ id: shop.id }) }
                      : {
                          label: t('archive'),
                          confirm: {
                            message: t('archiveHint', { name: shop.name }),
                            onConfirm: () => archive.mutateAsync({ id: shop.id }),
                          },
                        }),
                  canChange(shop) &&
                    hasPermission(user.role, 'shops.delete') && {
                      label: t('delete'),
                      onClick: () => deleteDrawer.open(shop),
                    },
                ]}
              />
            ),
          },
        ]}
        empty={{ title: t('none'), hint: canWrite && t('noneHint'), action: canWrite && addButton }}
      />
      <FormDrawer
        opened={form.opened}
        onClose={form.close}
        title={editedShop ? t('edit') : t('create')}
        draftKey={`shop ${editedShop?.id ?? 'new'}`}
        loadSchema={() => import('../../server/shops/schema').then((module) => module.createShopInput)}
        initialValues={valuesOf(editedShop ?? null)}
        edit={editedShop && { shown: editedShop, valuesOf }}
        fields={[
          {
            name: 'name',
            label: t('name'),
            required: true,
            description: editedShop ? t('renameHint') : undefined,
          },
          { name: 'shop_id', label: t('shopId'), description: t('shopIdHint'), mono: true },
          { name: 'currency', label: t('currency'), description: t('currencyHint'), mono: true },
          { name: 'time_zone', label: t('timeZone'), description: t('timeZoneHint'), mono: true },
        ]}
        action={editedShop ? t('save') : t('create')}
        onSubmit={({ shop_id: shopId, currency, ...shop }, shown) =>
          editedShop
            ? update.mutateAsync({
                id: editedShop.id,
                ...shop,
                shop_id: shopId ?? null,
                currency: currency ?? null,
                shown,
              })
            : create.mutateAsync({ ...shop, shop_id: shopId, currency })
        }
      />
      {deleteDrawer.subject && (
        <DeleteShopDrawer
          shop={deleteDrawer.subject}
          opened={deleteDrawer.opened}
          onClose={deleteDrawer.close}
          downloadPath={downloadPathOf(deleteDrawer.subject)}
        />
      )}
    </>
  );
}
