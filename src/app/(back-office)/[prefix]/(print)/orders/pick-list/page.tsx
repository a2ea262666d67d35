import { getTranslations } from 'next-intl/server';
import { PickListPage } from '../../../../../../components/orders/print/pick-list-page';
import { pickListPageQueries } from '../../../../../../components/orders/print/queries';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'shipping',
  title: async () => (await getTranslations('shipping'))('pickList'),
  permission: 'orders.read',
  queries: pickListPageQueries,
  content: () => <PickListPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
