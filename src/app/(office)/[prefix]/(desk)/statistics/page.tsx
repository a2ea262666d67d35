import { ShopDaysPage } from '../../../../../components/statistics/days/shop-days-page';
import { shopDaysPageQueries } from '../../../../../components/statistics/queries';
import { deskPage } from '../../../../desk-page';

const page = deskPage({
  area: 'statistics',
  beside: ['days', 'shell'],
  may: 'statistics.read',
  queries: shopDaysPageQueries,
  content: () => <ShopDaysPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
