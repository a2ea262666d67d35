import { StatisticsImportPage } from '../../../../../../components/statistics/import/statistics-import-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'statistics',
  otherNamespaces: ['csv', 'shell'],
  permission: 'statistics.write',
  content: () => <StatisticsImportPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
