import { getTranslations } from 'next-intl/server';
import { PromptPage } from '../../../../../../components/messages/prompts/prompt-page';
import { promptPageQueries } from '../../../../../../components/messages/queries';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'messages',
  otherNamespaces: ['reply'],
  title: async (_, search) => {
    const title = (await getTranslations('messages'))('prompts.title');
    const shopName = search.get('shop');
    return shopName ? `${shopName} - ${title}` : title;
  },
  permission: 'messages.read',
  queries: promptPageQueries,
  content: () => <PromptPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
