import { restatementsPageQueries } from '../../../../../../components/statistics/queries';
import { RestatementsPage } from '../../../../../../components/statistics/restatements-page';
import { areaTitle } from '../../../../../area-title';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'statistics',
  otherNamespaces: ['days', 'shell'],
  title: () => areaTitle('restatements', 'statistics'),
  permission: 'statistics.read',
  queries: restatementsPageQueries,
  content: () => <RestatementsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
