import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { OrdersPage } from '../../../../../components/orders/orders-page';
import { AreaMessages } from '../../../../area-messages';
import { requirePerson } from '../../../../session';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('orders');
  return { title: t('title') };
}

export default async function Orders() {
  await requirePerson({ may: 'orders.read' });
  return (
    <AreaMessages of={['orders', 'order-status', 'views', 'reasons']}>
      <OrdersPage />
    </AreaMessages>
  );
}
