import { OrdersPage } from '../../../../../components/orders/list/orders-page';
import { ordersPageQueries } from '../../../../../components/orders/queries';
import { defineBackOfficePage } from '../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'orders',
  otherNamespaces: ['export', 'order', 'order-status', 'shipping', 'views'],
  permission: 'orders.read',
  queries: ordersPageQueries,
  content: () => <OrdersPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
