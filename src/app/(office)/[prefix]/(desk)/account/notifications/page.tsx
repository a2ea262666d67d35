import { NotificationsPage } from '../../../../../../components/notifications/notifications-page';
import { notificationPageQueries } from '../../../../../../components/notifications/queries';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'notifications',
  permission: 'self.manage',
  queries: notificationPageQueries('own'),
  content: () => <NotificationsPage owner="own" />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
