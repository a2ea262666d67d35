import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ReplyPage } from '../../../../../../../components/messages/reply-page';
import { AreaMessages } from '../../../../../../area-messages';
import { requirePerson } from '../../../../../../session';

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations('messages');
  return { title: t('replies.one', { id: (await params).id }) };
}

export default async function ReplyById({ params }: Props) {
  await requirePerson({ may: 'messages.read' });
  return (
    <AreaMessages of={['messages', 'reasons']}>
      <ReplyPage id={(await params).id} />
    </AreaMessages>
  );
}
