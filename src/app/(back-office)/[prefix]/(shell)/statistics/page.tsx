import { ShopDaysPage } from '../../../../../components/statistics/days/shop-days-page';
import { shopDaysPageQueries } from '../../../../../components/statistics/queries';
import { defineBackOfficePage } from '../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'statistics',
  otherNamespaces: ['days', 'shell'],
  permission: 'statistics.read',
  queries: shopDaysPageQueries,
  content: () => <ShopDaysPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
