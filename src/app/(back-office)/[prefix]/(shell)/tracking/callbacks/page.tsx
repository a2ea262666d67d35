import { getTranslations } from 'next-intl/server';
import { CallbacksPage } from '../../../../../../components/tracking/callbacks/callbacks-page';
import { callbacksPageQueries } from '../../../../../../components/tracking/queries';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'tracking',
  title: async () => (await getTranslations('tracking'))('callbacks.title'),
  permission: 'tracking.read',
  queries: callbacksPageQueries,
  content: () => <CallbacksPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
