import { ImportPage } from '../../../../../../components/statistics/import/import-page';
import { shellPage } from '../../../../../shell-page';

const page = shellPage({
  area: 'statistics',
  otherAreas: ['csv', 'shell'],
  permission: 'statistics.write',
  content: () => <ImportPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
