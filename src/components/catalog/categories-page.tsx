'use client';

import { ActionIcon, Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowDown, IconArrowUp, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { hasPermission } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { useBackOffice } from '../shell/back-office';
import { useDialogState } from '../ui/dialog/dialog-state';
import { ConfirmAction } from '../ui/form/confirm-action';
import { FormDrawer } from '../ui/form/form-drawer';
import { ListPage } from '../ui/list/list-page';
import { useListUrl } from '../ui/list/use-list-url';
import { useCategoryName } from './category-name';

type Category = RouterOutputs['catalog']['categories'][number];

const valuesOf = ({ name }: Pick<Category, 'name'>) => ({ name });

/** The categories in the order in which the API lists them. */
export function CategoriesPage() {
  const t = useTranslations('catalog');
  const categoryName = useCategoryName();
  const format = useFormatter();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { prefix, user } = useBackOffice();
  const canWrite = hasPermission(user.role, 'catalog.write');
  const url = useListUrl([]);
  const { data, ...query } = useQuery(trpc.catalog.categories.queryOptions(undefined, SHOWS_OWN_ERROR));
  const reload = () => queryClient.invalidateQueries(trpc.catalog.pathFilter());
  const callOptions = { onSuccess: reload, ...SHOWS_OWN_ERROR };
  const create = useMutation(trpc.catalog.createCategory.mutationOptions(callOptions));
  const rename = useMutation(trpc.catalog.renameCategory.mutationOptions(callOptions));
  const reorder = useMutation(trpc.catalog.reorderCategories.mutationOptions({ onSuccess: reload }));
  const deleteCategory = useMutation(trpc.catalog.deleteCategory.mutationOptions({ onSettled: reload }));
  const form = useDialogState<{ category: Category | null }>();
  const editedCategory = form.subject?.category;
  const lastIndex = (data?.length ?? 0) - 1;

  const indexOf = ({ id }: Category) => data?.findIndex((category) => category.id === id) ?? -1;
  /** Swaps a category with the one above or below. */
  const move = (category: Category, direction: -1 | 1) => {
    const ids = data?.map(({ id }) => id) ?? [];
    const index = indexOf(category);
    [ids[index], ids[index + direction]] = [ids[index + direction]!, ids[index]!];
    reorder.mutate(
      { ids },
      {
        onSuccess: () => {
          const position = index + direction + 1;
          const name = categoryName(category.name);
          notifications.show({ message: t('categories.moved', { name, position, count: ids.length }) });
        },
      },
    );
  };
  const isAtEnd = (category: Category, direction: -1 | 1) =>
    indexOf(category) === (direction < 0 ? 0 : lastIndex);
  const renderArrow = (category: Category, direction: -1 | 1) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="var(--mantine-color-text)"
      aria-label={t(direction < 0 ? 'categories.up' : 'categories.down', { name: category.name })}
      aria-disabled={isAtEnd(category, direction) || reorder.isPending}
      opacity={isAtEnd(category, direction) ? 0.4 : 1}
      onClick={() => !isAtEnd(category, direction) && !reorder.isPending && move(category, direction)}
    >
      {direction < 0 ? <IconArrowUp size={16} stroke={1.75} /> : <IconArrowDown size={16} stroke={1.75} />}
    </ActionIcon>
  );
  return (
    <>
      <ListPage<Category>
        id="categories"
        title={t('categories.title')}
        description={t('categories.description')}
        back={{ href: `${prefix}/catalog`, label: t('title') }}
        actions={
          canWrite && (
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => form.open({ category: null })}
            >
              {t('categories.create')}
            </Button>
          )
        }
        url={url}
        query={{ ...query, data: data && { rows: data } }}
        rowKey={({ id }) => String(id)}
        columns={[
          { key: 'name', label: t('name'), heading: true, render: ({ name }) => categoryName(name) },
          {
            key: 'products',
            label: t('categories.products'),
            numeric: true,
            render: ({ products }) => format.number(products),
          },
          {
            key: 'archived',
            label: t('archived.yes'),
            numeric: true,
            render: ({ archived_products: count }) => format.number(count),
          },
          {
            key: 'api',
            label: t('categories.api'),
            render: ({ listed, name }) =>
              listed ? <span className="mono">{`/api/legos-${name}`}</span> : '–',
          },
          ...(canWrite
            ? [
                {
                  key: 'actions',
                  label: t('actions'),
                  actions: true,
                  render: (category: Category) => (
                    <Group gap="xs" justify="flex-end" wrap="nowrap">
                      {!category.listed && (
                        <Button
                          size="compact-sm"
                          variant="default"
                          aria-label={t('categories.renameOne', { name: category.name })}
                          onClick={() => form.open({ category })}
                        >
                          {t('categories.rename')}
                        </Button>
                      )}
                      {!category.listed && category.products + category.archived_products === 0 && (
                        <ConfirmAction
                          title={t('categories.deleteOne', { name: category.name })}
                          message={t('categories.deleteHint', { name: category.name })}
                          action={t('categories.delete')}
                          destructive
                          onConfirm={async () => {
                            await deleteCategory.mutateAsync({ id: category.id });
                            notifications.show({
                              message: t('categories.deleted', { name: category.name }),
                            });
                          }}
                        >
                          {(ask) => (
                            <Button
                              size="compact-sm"
                              variant="default"
                              aria-label={t('categories.deleteOne', { name: category.name })}
                              onClick={ask}
                            >
                              {t('categories.delete')}
                            </Button>
                          )}
                        </ConfirmAction>
                      )}
                      {renderArrow(category, -1)}
                      {renderArrow(category, 1)}
                    </Group>
                  ),
                },
              ]
            : []),
        ]}
        empty={{ title: t('categories.none'), hint: t('categories.description') }}
      />
      <FormDrawer
        opened={form.opened}
        onClose={form.close}
        title={editedCategory ? t('categories.rename') : t('categories.create')}
        draftKey={`category ${editedCategory?.id ?? 'new'}`}
        loadSchema={() =>
          import('../../server/catalog/product-schema').then((module) => module.createCategoryInput)
        }
        initialValues={valuesOf(editedCategory ?? { name: '' })}
        edit={editedCategory && { shown: editedCategory, valuesOf }}
        fields={[{ name: 'name', label: t('name'), required: true }]}
        action={editedCategory ? t('save') : t('categories.create')}
        onSubmit={({ name }, shown) =>
          editedCategory
            ? rename.mutateAsync({ id: editedCategory.id, name, shown })
            : create.mutateAsync({ name })
        }
      />
    </>
  );
}
