import { ListingsPage } from '../../../../../../components/statistics/listings-page';
import { listingsPageQueries } from '../../../../../../components/statistics/queries';
import { areaTitle } from '../../../../../area-title';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'statistics',
  otherNamespaces: ['days', 'shell'],
  title: () => areaTitle('listings', 'statistics'),
  permission: 'statistics.read',
  queries: listingsPageQueries,
  content: () => <ListingsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
