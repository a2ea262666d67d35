import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { recordPageQueries } from '../../../../../../../components/records/queries';
import { RecordPage } from '../../../../../../../components/records/record-page';
import { isBigintIdText } from '../../../../../../../server/core/id-text';
import { defineBackOfficePage } from '../../../../../../back-office-page';

const page = defineBackOfficePage<{ id: string }>({
  namespace: 'records',
  title: async ({ id }) => (await getTranslations('records'))('oneRecord', { id }),
  permission: 'records.read',
  queries: recordPageQueries,
  content: ({ id }) => (isBigintIdText(id) ? <RecordPage id={id} /> : notFound()),
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
