import { getTranslations } from 'next-intl/server';
import { PromptsPage } from '../../../../../components/messages/prompts/prompts-page';
import { defineBackOfficePage } from '../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'messages',
  title: async () => (await getTranslations('messages'))('prompts.title'),
  permission: 'messages.read',
  queries: ({ trpc, load }) => load(trpc.prompts.list.queryOptions()),
  content: () => <PromptsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
