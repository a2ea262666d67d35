import { OverviewPage } from '../../../../components/overview/overview-page';
import { overviewPageQueries } from '../../../../components/overview/queries';
import { defineBackOfficePage } from '../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'overview',
  otherNamespaces: ['days'],
  permission: 'orders.read',
  queries: overviewPageQueries,
  content: () => <OverviewPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
