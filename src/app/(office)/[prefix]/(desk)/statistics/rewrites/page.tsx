import { changesPageQueries } from '../../../../../../components/statistics/queries';
import { RewritesPage } from '../../../../../../components/statistics/rewrites-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'statistics',
  beside: ['days', 'shell'],
  may: 'statistics.read',
  queries: changesPageQueries,
  content: () => <RewritesPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
