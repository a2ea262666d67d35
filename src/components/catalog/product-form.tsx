'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { z } from 'zod';
import { createProductInput } from '../../server/catalog/product-schema';
import { useTRPC } from '../api/client';
import { OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { FormDrawer } from '../ui/form/form-drawer';
import { useCategoryName } from './category-name';

type Product = RouterOutputs['catalog']['products']['products'][number];
type Category = RouterOutputs['catalog']['categories'][number];

/** A select returns text. */
const productForm = createProductInput.extend({
  category_id: z.coerce.number().pipe(createProductInput.shape.category_id),
});

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The product being edited; null for a new one. */
  edited: Product | null;
  categories: readonly Category[];
}

/** Adds or edits a product. */
export function ProductForm({ opened, onClose, edited, categories }: Props) {
  const t = useTranslations('catalog');
  const categoryName = useCategoryName();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const own = {
    onSuccess: () => queries.invalidateQueries(trpc.catalog.pathFilter()),
    ...OWN_ERROR,
  };
  const create = useMutation(trpc.catalog.createProduct.mutationOptions(own));
  const update = useMutation(trpc.catalog.updateProduct.mutationOptions(own));
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={edited ? t('edit') : t('create')}
      schema={productForm}
      initialValues={{
        code: edited?.code ?? '',
        category_id: String(edited?.category_id ?? categories[0]?.id ?? ''),
        name: edited?.name ?? '',
      }}
      fields={[
        { name: 'code', label: t('code'), description: t('codeHint'), required: true, mono: true },
        {
          name: 'category_id',
          label: t('category'),
          kind: 'select',
          required: true,
          options: categories.map(({ id, name }) => ({ value: String(id), label: categoryName(name) })),
        },
        { name: 'name', label: t('name') },
      ]}
      action={edited ? t('save') : t('create')}
      onSubmit={(input) =>
        edited
          ? // Clearing a name removes it.
            update.mutateAsync({ id: edited.id, ...input, name: input.name ?? null })
          : create.mutateAsync(input)
      }
    />
  );
}
