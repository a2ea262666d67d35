import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { DraftPage } from '../../../../../../../components/imports/draft/draft-page';
import { draftPageQueries } from '../../../../../../../components/imports/queries';
import { defineBackOfficePage } from '../../../../../../back-office-page';
import { pageClient } from '../../../../../../page-client';

const UUID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const page = defineBackOfficePage<{ draft: string }>({
  namespace: 'import',
  title: async ({ draft: id }) => {
    // If the query fails, the page shows why.
    const draft = await pageClient.imports.draft.query({ id }).catch(() => null);
    return draft?.file_name ?? (await getTranslations('import'))('title');
  },
  // Changes to an order are shown with the messages of the order page.
  otherNamespaces: ['csv', 'order'],
  permission: 'imports.write',
  queries: draftPageQueries,
  content: ({ draft }) => (UUID_PATTERN.test(draft) ? <DraftPage id={draft} /> : notFound()),
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
