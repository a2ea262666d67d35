import { ShopsPage } from '../../../../../../components/shops/shops-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'shops',
  permission: 'orders.read',
  queries: ({ trpc, load }) => load(trpc.shops.list.queryOptions()),
  content: () => <ShopsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
