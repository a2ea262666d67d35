import { MissingDaysPage } from '../../../../../../components/statistics/calendar/missing-days-page';
import { missingDaysPageQueries } from '../../../../../../components/statistics/queries';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'statistics',
  otherNamespaces: ['days', 'shell'],
  permission: 'statistics.read',
  queries: missingDaysPageQueries,
  content: () => <MissingDaysPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
