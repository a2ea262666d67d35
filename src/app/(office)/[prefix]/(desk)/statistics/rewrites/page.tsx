import { RewritesPage } from '../../../../../../components/statistics/rewrites-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'statistics',
  beside: ['days', 'shell'],
  may: 'statistics.read',
  content: () => <RewritesPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
