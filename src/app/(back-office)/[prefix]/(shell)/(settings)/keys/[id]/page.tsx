import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { KeyPage } from '../../../../../../../components/keys/key-page';
import { keyPageQueries } from '../../../../../../../components/keys/queries';
import { isIntegerIdText } from '../../../../../../../server/core/id-text';
import { defineBackOfficePage } from '../../../../../../back-office-page';

const page = defineBackOfficePage<{ id: string }>({
  namespace: 'keys',
  title: async ({ id }) => (await getTranslations('keys'))('oneKey', { id }),
  permission: 'keys.read',
  queries: keyPageQueries,
  content: ({ id }) => (isIntegerIdText(id) ? <KeyPage id={Number(id)} /> : notFound()),
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
