import { StatisticsImportPage } from '../../../../../../components/statistics/import/statistics-import-page';
import { shellPage } from '../../../../../shell-page';

const page = shellPage({
  area: 'statistics',
  otherAreas: ['csv', 'shell'],
  permission: 'statistics.write',
  content: () => <StatisticsImportPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
