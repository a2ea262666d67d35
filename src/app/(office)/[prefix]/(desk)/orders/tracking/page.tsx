import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { TrackingPastePage } from '../../../../../../components/orders/tracking-paste-page';
import { AreaMessages } from '../../../../../area-messages';
import { requirePerson } from '../../../../../session';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('order-tracking');
  return { title: t('title') };
}

export default async function TrackingPaste() {
  await requirePerson({ may: 'orders.write' });
  return (
    <AreaMessages of={['order-tracking', 'reasons']}>
      <TrackingPastePage />
    </AreaMessages>
  );
}
