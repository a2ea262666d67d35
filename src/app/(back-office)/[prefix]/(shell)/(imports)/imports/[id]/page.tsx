import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { ImportPage } from '../../../../../../../components/imports/history/import-page';
import { importPageQueries } from '../../../../../../../components/imports/queries';
import { isBigintIdText } from '../../../../../../../server/core/id-text';
import { defineBackOfficePage } from '../../../../../../back-office-page';

const page = defineBackOfficePage<{ id: string }>({
  namespace: 'imports',
  title: async ({ id }) => (await getTranslations('imports'))('named', { id }),
  // Changes to an order are shown with the messages of the order page.
  otherNamespaces: ['order'],
  permission: 'imports.read',
  queries: importPageQueries,
  content: ({ id }) => (isBigintIdText(id) ? <ImportPage id={id} /> : notFound()),
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
