import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ParcelsPage } from '../../../../../components/tracking/parcels-page';
import { AreaMessages } from '../../../../area-messages';
import { requirePerson } from '../../../../session';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('tracking');
  return { title: t('parcels.title') };
}

export default async function Parcels() {
  await requirePerson({ may: 'tracking.read' });
  return (
    <AreaMessages of={['tracking', 'reasons']}>
      <ParcelsPage />
    </AreaMessages>
  );
}
