import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PromptsPage } from '../../../../../components/messages/prompts-page';
import { AreaMessages } from '../../../../area-messages';
import { requirePerson } from '../../../../session';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('messages');
  return { title: t('prompts.title') };
}

export default async function Prompts() {
  await requirePerson({ may: 'messages.read' });
  return (
    <AreaMessages of={['messages', 'reasons']}>
      <PromptsPage />
    </AreaMessages>
  );
}
