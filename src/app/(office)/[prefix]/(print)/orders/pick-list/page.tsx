import { getTranslations } from 'next-intl/server';
import { PickListPage } from '../../../../../../components/orders/print/pick-list-page';
import { pickListPageQueries } from '../../../../../../components/orders/print/queries';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'shipping',
  title: async () => (await getTranslations('shipping'))('pickList'),
  permission: 'orders.read',
  queries: pickListPageQueries,
  content: () => <PickListPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
