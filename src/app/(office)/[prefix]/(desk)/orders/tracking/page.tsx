import { TrackingPastePage } from '../../../../../../components/orders/tracking-paste/tracking-paste-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'order-tracking',
  otherAreas: ['csv'],
  permission: 'orders.write',
  content: () => <TrackingPastePage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
