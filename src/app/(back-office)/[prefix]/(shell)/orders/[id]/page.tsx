import { notFound } from 'next/navigation';
import { OrderPage } from '../../../../../../components/orders/page/order-page';
import { orderPageQueries } from '../../../../../../components/orders/queries';
import { isRecordIdText } from '../../../../../../server/core/id-text';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage<{ id: string }>({
  area: 'order',
  otherAreas: ['order-status', 'reply'],
  permission: 'orders.read',
  queries: orderPageQueries,
  content: ({ id }) => (isRecordIdText(id) ? <OrderPage id={id} /> : notFound()),
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
