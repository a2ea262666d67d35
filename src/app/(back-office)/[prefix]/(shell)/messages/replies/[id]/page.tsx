import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { replyPageQueries } from '../../../../../../../components/messages/queries';
import { ReplyPage } from '../../../../../../../components/messages/replies/reply-page';
import { isBigintIdText } from '../../../../../../../server/core/id-text';
import { defineBackOfficePage } from '../../../../../../back-office-page';

const page = defineBackOfficePage<{ id: string }>({
  namespace: 'messages',
  otherNamespaces: ['reply'],
  title: async ({ id }) => (await getTranslations('messages'))('replies.one', { id }),
  permission: 'messages.read',
  queries: replyPageQueries,
  content: ({ id }) => (isBigintIdText(id) ? <ReplyPage id={id} /> : notFound()),
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
