import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { OverviewPage } from '../../../../components/overview/overview-page';
import { AreaMessages } from '../../../area-messages';
import { requirePerson } from '../../../session';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('overview');
  return { title: t('title') };
}

export default async function Overview() {
  await requirePerson({ may: 'orders.read' });
  return (
    <AreaMessages of={['overview', 'days', 'reasons']}>
      <OverviewPage />
    </AreaMessages>
  );
}
