import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { RepliesPage } from '../../../../../../components/messages/replies-page';
import { AreaMessages } from '../../../../../area-messages';
import { requirePerson } from '../../../../../session';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('messages');
  return { title: t('replies.title') };
}

export default async function Replies() {
  await requirePerson({ may: 'messages.read' });
  return (
    <AreaMessages of={['messages', 'reasons']}>
      <RepliesPage />
    </AreaMessages>
  );
}
