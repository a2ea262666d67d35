import { getTranslations } from 'next-intl/server';
import { NotificationsPage } from '../../../../../../../components/notifications/notifications-page';
import { createNotificationPageQueries } from '../../../../../../../components/notifications/queries';
import { defineBackOfficePage } from '../../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'notifications',
  title: async () => (await getTranslations('notifications'))('teamTitle'),
  permission: 'channels.write',
  queries: createNotificationPageQueries('team'),
  content: () => <NotificationsPage owner="team" />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
