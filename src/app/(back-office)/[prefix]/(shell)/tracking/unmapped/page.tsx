import { getTranslations } from 'next-intl/server';
import { statusesPageQueries } from '../../../../../../components/tracking/queries';
import { UnknownStatusesPage } from '../../../../../../components/tracking/unknown-statuses-page';
import { shellPage } from '../../../../../shell-page';

const page = shellPage({
  area: 'tracking',
  title: async () => (await getTranslations('tracking'))('unknownStatuses.title'),
  permission: 'tracking.read',
  queries: statusesPageQueries,
  content: () => <UnknownStatusesPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
