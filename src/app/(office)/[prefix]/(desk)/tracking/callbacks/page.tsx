import { getTranslations } from 'next-intl/server';
import { CallbacksPage } from '../../../../../../components/tracking/callbacks/callbacks-page';
import { callbacksPageQueries } from '../../../../../../components/tracking/queries';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'tracking',
  title: async () => (await getTranslations('tracking'))('callbacks.title'),
  permission: 'tracking.read',
  queries: callbacksPageQueries,
  content: () => <CallbacksPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
