import { getTranslations } from 'next-intl/server';
import { CallbackPage } from '../../../../../../../components/tracking/callbacks/callback-page';
import { callbackPageQueries } from '../../../../../../../components/tracking/queries';
import { shellPage } from '../../../../../../shell-page';

const page = shellPage<{ id: string }>({
  area: 'tracking',
  title: async ({ id }) => (await getTranslations('tracking'))('callbacks.one', { id }),
  permission: 'tracking.read',
  queries: callbackPageQueries,
  content: ({ id }) => <CallbackPage id={id} />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
