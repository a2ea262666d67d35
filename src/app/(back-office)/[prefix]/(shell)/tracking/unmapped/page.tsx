import { getTranslations } from 'next-intl/server';
import { unknownStatusesPageQueries } from '../../../../../../components/tracking/queries';
import { UnknownStatusesPage } from '../../../../../../components/tracking/unknown-statuses-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'tracking',
  title: async () => (await getTranslations('tracking'))('unknownStatuses.title'),
  permission: 'tracking.read',
  queries: unknownStatusesPageQueries,
  content: () => <UnknownStatusesPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
