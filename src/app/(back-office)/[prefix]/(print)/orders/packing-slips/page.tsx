import { getTranslations } from 'next-intl/server';
import { PackingSlipsPage } from '../../../../../../components/orders/print/packing-slips-page';
import { packingSlipsPageQueries } from '../../../../../../components/orders/print/queries';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'shipping',
  title: async () => (await getTranslations('shipping'))('packingSlips'),
  permission: 'orders.read',
  queries: packingSlipsPageQueries,
  content: () => <PackingSlipsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
