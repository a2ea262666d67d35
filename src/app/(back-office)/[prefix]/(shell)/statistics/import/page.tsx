import { StatisticsImportPage } from '../../../../../../components/statistics/import/statistics-import-page';
import { areaTitle } from '../../../../../area-title';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'statistics',
  otherNamespaces: ['csv', 'shell'],
  title: () => areaTitle('statisticsImport', 'statistics'),
  permission: 'statistics.write',
  content: () => <StatisticsImportPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
