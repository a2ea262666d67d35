import { recordsPageQueries } from '../../../../../../components/records/queries';
import { RecordsPage } from '../../../../../../components/records/records-page';
import { shellPage } from '../../../../../shell-page';

const page = shellPage({
  area: 'records',
  permission: 'records.read',
  queries: recordsPageQueries,
  content: () => <RecordsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
