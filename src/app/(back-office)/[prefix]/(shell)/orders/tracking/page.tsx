import { TrackingPastePage } from '../../../../../../components/orders/tracking-paste/tracking-paste-page';
import { shellPage } from '../../../../../shell-page';

const page = shellPage({
  area: 'order-tracking',
  otherAreas: ['csv'],
  permission: 'orders.write',
  content: () => <TrackingPastePage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
