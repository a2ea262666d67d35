import { TrackingPastePage } from '../../../../../../components/orders/tracking-paste/tracking-paste-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'order-tracking',
  otherNamespaces: ['csv'],
  permission: 'orders.write',
  content: () => <TrackingPastePage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
