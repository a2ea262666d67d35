import { ShopDaysPage } from '../../../../../components/statistics/days/shop-days-page';
import { shopDaysPageQueries } from '../../../../../components/statistics/queries';
import { areaTitle } from '../../../../area-title';
import { defineBackOfficePage } from '../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'statistics',
  otherNamespaces: ['days', 'shell'],
  title: () => areaTitle('shopDays', 'statistics'),
  permission: 'statistics.read',
  queries: shopDaysPageQueries,
  content: () => <ShopDaysPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
