import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { WordsPage } from '../../../../../../components/tracking/words-page';
import { AreaMessages } from '../../../../../area-messages';
import { requirePerson } from '../../../../../session';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('tracking');
  return { title: t('words.title') };
}

export default async function Unmapped() {
  await requirePerson({ may: 'tracking.read' });
  return (
    <AreaMessages of={['tracking', 'reasons']}>
      <WordsPage />
    </AreaMessages>
  );
}
