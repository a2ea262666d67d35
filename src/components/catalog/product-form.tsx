'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { FormDrawer } from '../ui/form/form-drawer';
import { useCategoryName } from './category-name';

type Product = RouterOutputs['catalog']['products']['products'][number];
type Category = RouterOutputs['catalog']['categories'][number];

const valuesOf = (product: Product) => ({
  code: product.code,
  category_id: String(product.category_id),
  name: product.name ?? '',
});

const loadProductSchema = () => import('./product-form-schema').then((module) => module.productFormSchema);

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The product being edited; null for a new one. */
  product: Product | null;
  categories: readonly Category[];
}

/** Adds or edits a product. */
export function ProductForm({ opened, onClose, product, categories }: Props) {
  const t = useTranslations('catalog');
  const categoryName = useCategoryName();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const callOptions = {
    onSuccess: () => queryClient.invalidateQueries(trpc.catalog.pathFilter()),
    ...SHOWS_OWN_ERROR,
  };
  const create = useMutation(trpc.catalog.createProduct.mutationOptions(callOptions));
  const update = useMutation(trpc.catalog.updateProduct.mutationOptions(callOptions));
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={product ? t('edit') : t('create')}
      draftKey={`product ${product?.id ?? 'new'}`}
      loadSchema={loadProductSchema}
      initialValues={
        product ? valuesOf(product) : { code: '', category_id: String(categories[0]?.id ?? ''), name: '' }
      }
      edit={product && { shown: product, valuesOf }}
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
      action={product ? t('save') : t('create')}
      onSubmit={(input, shown) =>
        product
          ? // Clearing a name removes it.
            update.mutateAsync({ id: product.id, ...input, name: input.name ?? null, shown })
          : create.mutateAsync(input)
      }
    />
  );
}
