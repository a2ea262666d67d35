import { MissingDaysPage } from '../../../../../../components/statistics/calendar/missing-days-page';
import { missingDaysPageQueries } from '../../../../../../components/statistics/queries';
import { areaTitle } from '../../../../../area-title';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'statistics',
  otherNamespaces: ['days', 'shell'],
  title: () => areaTitle('missingDays', 'statistics'),
  permission: 'statistics.read',
  queries: missingDaysPageQueries,
  content: () => <MissingDaysPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
