import { ImportPage } from '../../../../../../components/statistics/import/import-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'statistics',
  beside: ['csv', 'shell'],
  may: 'statistics.write',
  content: () => <ImportPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
