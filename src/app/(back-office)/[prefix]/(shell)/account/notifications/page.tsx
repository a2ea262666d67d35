import { NotificationsPage } from '../../../../../../components/notifications/notifications-page';
import { notificationPageQueries } from '../../../../../../components/notifications/queries';
import { shellPage } from '../../../../../shell-page';

const page = shellPage({
  area: 'notifications',
  permission: 'self.manage',
  queries: notificationPageQueries('own'),
  content: () => <NotificationsPage owner="own" />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
