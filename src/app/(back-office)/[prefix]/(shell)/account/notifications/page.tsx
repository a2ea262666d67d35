import { NotificationsPage } from '../../../../../../components/notifications/notifications-page';
import { createNotificationPageQueries } from '../../../../../../components/notifications/queries';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'notifications',
  permission: 'self.manage',
  queries: createNotificationPageQueries('own'),
  content: () => <NotificationsPage owner="own" />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
