import { ListingsPage } from '../../../../../../components/statistics/listings-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'statistics',
  beside: ['days', 'shell'],
  may: 'statistics.read',
  content: () => <ListingsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
