'use client';

import { Anchor, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { FormDrawer } from '../ui/form/form-drawer';

interface Props {
  shop: RouterOutputs['shops']['list'][number];
  opened: boolean;
  onClose: () => void;
  /** The path from which everything that is stored for the shop can be downloaded. */
  downloadPath: string;
}

/** Deletes a shop with everything that is stored for it, once its name has been typed. Offers to download it all first. */
export function DeleteShopDrawer({ shop, opened, onClose, downloadPath }: Props) {
  const t = useTranslations('shops');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const deleteShop = useMutation(
    trpc.shopData.delete.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.shops.pathFilter()),
      ...SHOWS_OWN_ERROR,
    }),
  );
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={t('deleteTitle', { name: shop.name })}
      intro={
        <>
          <Text mb="xs">{t('deleteIntro', { orders: shop.orders, days: shop.statistic_days })}</Text>
          <Anchor href={downloadPath} download>
            {t('deleteKeep')}
          </Anchor>
        </>
      }
      draftKey={null}
      loadSchema={() =>
        import('../../server/shop-data/schema').then((module) => module.deleteShopInput.pick({ name: true }))
      }
      initialValues={{ name: '' }}
      fields={[{ name: 'name', label: t('deleteName'), description: shop.name, required: true }]}
      action={t('deleteAction')}
      onSubmit={({ name }) => deleteShop.mutateAsync({ id: shop.id, name })}
    />
  );
}
