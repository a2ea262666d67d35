import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { OrderPage } from '../../../../../../components/orders/order-page';
import { AreaMessages } from '../../../../../area-messages';
import { requirePerson } from '../../../../../session';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('order');
  return { title: t('title') };
}

export default async function Order({ params }: { params: Promise<{ id: string }> }) {
  await requirePerson({ may: 'orders.read' });
  const { id } = await params;
  if (!/^\d{1,18}$/.test(id)) notFound();
  return (
    <AreaMessages of={['order', 'order-status', 'reasons']}>
      <OrderPage id={id} />
    </AreaMessages>
  );
}
