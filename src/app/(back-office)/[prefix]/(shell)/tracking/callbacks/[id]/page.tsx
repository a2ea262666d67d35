import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { CallbackPage } from '../../../../../../../components/tracking/callbacks/callback-page';
import { callbackPageQueries } from '../../../../../../../components/tracking/queries';
import { isBigintIdText } from '../../../../../../../server/core/id-text';
import { defineBackOfficePage } from '../../../../../../back-office-page';

const page = defineBackOfficePage<{ id: string }>({
  namespace: 'tracking',
  title: async ({ id }) => (await getTranslations('tracking'))('callbacks.one', { id }),
  permission: 'tracking.read',
  queries: callbackPageQueries,
  content: ({ id }) => (isBigintIdText(id) ? <CallbackPage id={id} /> : notFound()),
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
