import { OrdersPage } from '../../../../../components/orders/list/orders-page';
import { ordersPageQueries } from '../../../../../components/orders/queries';
import { deskPage } from '../../../../desk-page';

const page = deskPage({
  area: 'orders',
  beside: ['export', 'order', 'order-status', 'shipping', 'views'],
  may: 'orders.read',
  queries: ordersPageQueries,
  content: () => <OrdersPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
