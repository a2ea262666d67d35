import { recordsPageQueries } from '../../../../../../components/records/queries';
import { RecordsPage } from '../../../../../../components/records/records-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'records',
  permission: 'records.read',
  queries: recordsPageQueries,
  content: () => <RecordsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
