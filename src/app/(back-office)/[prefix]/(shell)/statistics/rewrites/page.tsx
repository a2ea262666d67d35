import { restatementsPageQueries } from '../../../../../../components/statistics/queries';
import { RestatementsPage } from '../../../../../../components/statistics/restatements-page';
import { shellPage } from '../../../../../shell-page';

const page = shellPage({
  area: 'statistics',
  otherAreas: ['days', 'shell'],
  permission: 'statistics.read',
  queries: restatementsPageQueries,
  content: () => <RestatementsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
