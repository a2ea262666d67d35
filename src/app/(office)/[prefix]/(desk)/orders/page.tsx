import { OrdersPage } from '../../../../../components/orders/orders-page';
import { ordersPageQueries } from '../../../../../components/orders/queries';
import { deskPage } from '../../../../desk-page';

const page = deskPage({
  area: 'orders',
  beside: ['order-status', 'views'],
  may: 'orders.read',
  queries: ordersPageQueries,
  content: () => <OrdersPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
