import { TrackingPastePage } from '../../../../../../components/orders/tracking-paste-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'order-tracking',
  may: 'orders.write',
  queries: ({ trpc, load }) => load(trpc.shops.list.queryOptions()),
  content: () => <TrackingPastePage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
