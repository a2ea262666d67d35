import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { CallbacksPage } from '../../../../../../components/tracking/callbacks-page';
import { AreaMessages } from '../../../../../area-messages';
import { requirePerson } from '../../../../../session';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('tracking');
  return { title: t('callbacks.title') };
}

export default async function Callbacks() {
  await requirePerson({ may: 'tracking.read' });
  return (
    <AreaMessages of={['tracking', 'reasons']}>
      <CallbacksPage />
    </AreaMessages>
  );
}
