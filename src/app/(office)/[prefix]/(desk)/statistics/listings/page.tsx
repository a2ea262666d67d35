import { ListingsPage } from '../../../../../../components/statistics/listings-page';
import { listingsPageQueries } from '../../../../../../components/statistics/queries';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'statistics',
  otherAreas: ['days', 'shell'],
  permission: 'statistics.read',
  queries: listingsPageQueries,
  content: () => <ListingsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
