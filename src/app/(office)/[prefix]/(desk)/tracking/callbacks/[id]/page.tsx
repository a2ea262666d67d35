import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { CallbackPage } from '../../../../../../../components/tracking/callback-page';
import { AreaMessages } from '../../../../../../area-messages';
import { requirePerson } from '../../../../../../session';

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('tracking');
  return { title: t('callbacks.one', { id: (await params).id }) };
}

export default async function CallbackById({ params }: Props) {
  await requirePerson({ may: 'tracking.read' });
  return (
    <AreaMessages of={['tracking', 'reasons']}>
      <CallbackPage id={(await params).id} />
    </AreaMessages>
  );
}
