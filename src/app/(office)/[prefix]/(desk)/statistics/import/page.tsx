import { ImportPage } from '../../../../../../components/statistics/import/import-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'statistics',
  otherAreas: ['csv', 'shell'],
  permission: 'statistics.write',
  content: () => <ImportPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
