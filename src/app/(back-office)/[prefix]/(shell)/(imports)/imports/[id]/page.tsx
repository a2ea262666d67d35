import { notFound } from 'next/navigation';
import { ImportPage } from '../../../../../../../components/imports/history/import-page';
import { importPageQueries } from '../../../../../../../components/imports/queries';
import { isRecordIdText } from '../../../../../../../server/core/id-text';
import { defineBackOfficePage } from '../../../../../../back-office-page';

const page = defineBackOfficePage<{ id: string }>({
  area: 'imports',
  // Changes to an order are shown with the messages of the order page.
  otherAreas: ['order'],
  permission: 'imports.read',
  queries: importPageQueries,
  content: ({ id }) => (isRecordIdText(id) ? <ImportPage id={id} /> : notFound()),
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
