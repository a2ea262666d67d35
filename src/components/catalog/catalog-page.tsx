'use client';

import { Button } from '@mantine/core';
import { IconDownload, IconFileImport, IconList, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { hasPermission } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { useBackOffice } from '../shell/back-office';
import { useDialogState } from '../ui/dialog/dialog-state';
import { SelectFilter, TextFilter } from '../ui/list/filter/list-filters';
import { ListPage } from '../ui/list/list-page';
import { RowMenu } from '../ui/list/table/row-menu';
import { useListUrl } from '../ui/list/use-list-url';
import { CopyableText } from '../ui/value/copyable-text';
import { StatusBadge } from '../ui/value/status-badge';
import { Instant } from '../ui/value/time/instant';
import { useCategoryName } from './category-name';
import { ProductForm } from './product-form';
import { PRODUCT_FILTERS, type ProductFilter, productListQuery, readProductFilter } from './queries';

type Product = RouterOutputs['catalog']['products']['products'][number];

/** Returns the URL of the list as a CSV file. */
function downloadUrlOf({ search, category_id: categoryId, archived = 'no' }: ProductFilter): string {
  const query = new URLSearchParams({ archived });
  if (search) query.set('search', search);
  if (categoryId) query.set('category_id', String(categoryId));
  return `/api/downloads/products?${query}`;
}

/** The list of products. */
export function CatalogPage() {
  const t = useTranslations('catalog');
  const categoryName = useCategoryName();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { prefix, user } = useBackOffice();
  const canWrite = hasPermission(user.role, 'catalog.write');
  const url = useListUrl(PRODUCT_FILTERS);
  const filter = readProductFilter(url.filters);
  const { data, ...query } = useQuery(productListQuery(trpc, url));
  const { data: categories = [] } = useQuery(trpc.catalog.categories.queryOptions());
  const callOptions = { onSuccess: () => queryClient.invalidateQueries(trpc.catalog.pathFilter()) };
  const archive = useMutation(trpc.catalog.archiveProduct.mutationOptions(callOptions));
  const restore = useMutation(trpc.catalog.restoreProduct.mutationOptions(callOptions));
  const form = useDialogState<{ product: Product | null }>();
  const chosenCategory = categories.find(({ id }) => id === filter.category_id);
  const linkProps = (path: string) => ({ component: Link, href: prefix + path, variant: 'default' as const });
  const addButton = canWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => form.open({ product: null })}>
      {t('create')}
    </Button>
  );
  return (
    <>
      <ListPage<Product>
        id="catalog"
        title={t('title')}
        description={t('description')}
        api={{ method: 'GET', path: `/api/legos-${chosenCategory?.listed ? chosenCategory.name : 'sku'}` }}
        actions={
          <>
            <Button {...linkProps('/catalog/categories')} leftSection={<IconList size={16} aria-hidden />}>
              {t('categories.title')}
            </Button>
            {canWrite && (
              <Button
                {...linkProps('/catalog/import')}
                leftSection={<IconFileImport size={16} aria-hidden />}
              >
                {t('import.title')}
              </Button>
            )}
            {addButton}
          </>
        }
        url={url}
        filters={
          <>
            <TextFilter url={url} name="search" label={t('search')} />
            <SelectFilter
              url={url}
              name="category"
              label={t('category')}
              options={categories.map(({ id, name }) => ({ value: String(id), label: categoryName(name) }))}
            />
            <SelectFilter
              url={url}
              name="archived"
              label={t('archived.label')}
              noneLabel={t('archived.no')}
              options={[
                { value: 'yes', label: t('archived.yes') },
                { value: 'all', label: t('archived.all') },
              ]}
            />
          </>
        }
        tools={
          <Button
            component="a"
            href={downloadUrlOf(filter)}
            download
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            CSV
          </Button>
        }
        query={{ ...query, data: data && { rows: data.products, next: data.next } }}
        rowKey={({ id }) => String(id)}
        columns={[
          {
            key: 'code',
            label: t('code'),
            heading: true,
            render: ({ code }) => <CopyableText value={code} />,
          },
          { key: 'name', label: t('name'), render: ({ name }) => name ?? '–' },
          { key: 'category', label: t('category'), render: (product) => categoryName(product.category) },
          // If the list leaves out archived products, every row has the same state.
          ...(filter.archived === 'no'
            ? []
            : [
                {
                  key: 'state',
                  label: t('state'),
                  render: (product: Product) => (
                    <StatusBadge status={product.archived ? 'archived' : 'active'} />
                  ),
                },
              ]),
          {
            key: 'updated',
            label: t('updated'),
            render: ({ updated_at: at }) => <Instant value={at} />,
          },
          {
            key: 'actions',
            label: t('actions'),
            actions: true,
            render: (product) => (
              <RowMenu
                name={product.code}
                actions={[
                  canWrite && { label: t('edit'), onClick: () => form.open({ product }) },
                  canWrite &&
                    (product.archived
                      ? { label: t('restore'), onClick: () => restore.mutate({ id: product.id }) }
                      : {
                          label: t('archive'),
                          confirm: {
                            message: t('archiveHint', { code: product.code }),
                            onConfirm: () => archive.mutateAsync({ id: product.id }),
                          },
                        }),
                ]}
              />
            ),
          },
        ]}
        empty={{ title: t('none'), hint: canWrite && t('noneHint'), action: addButton }}
      />
      <ProductForm
        opened={form.opened}
        onClose={form.close}
        product={form.subject?.product ?? null}
        categories={categories}
      />
    </>
  );
}
