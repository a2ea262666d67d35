import { getTranslations } from 'next-intl/server';
import { repliesPageQueries } from '../../../../../../components/messages/queries';
import { RepliesPage } from '../../../../../../components/messages/replies/replies-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'messages',
  title: async () => (await getTranslations('messages'))('replies.title'),
  permission: 'messages.read',
  queries: repliesPageQueries,
  content: () => <RepliesPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
