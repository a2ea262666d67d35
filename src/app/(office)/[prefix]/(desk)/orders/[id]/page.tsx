import { notFound } from 'next/navigation';
import { OrderPage } from '../../../../../../components/orders/page/order-page';
import { orderPageQueries } from '../../../../../../components/orders/queries';
import { deskPage } from '../../../../../desk-page';

const page = deskPage<{ id: string }>({
  area: 'order',
  otherAreas: ['order-status', 'reply'],
  permission: 'orders.read',
  queries: orderPageQueries,
  content: ({ id }) => (/^\d{1,18}$/.test(id) ? <OrderPage id={id} /> : notFound()),
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
