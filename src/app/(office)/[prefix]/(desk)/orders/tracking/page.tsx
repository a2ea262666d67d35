import { TrackingPastePage } from '../../../../../../components/orders/tracking-paste/tracking-paste-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'order-tracking',
  beside: ['csv'],
  may: 'orders.write',
  content: () => <TrackingPastePage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
