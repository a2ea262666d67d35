import { HistoryPage } from '../../../../../../components/imports/history/history-page';
import { historyPageQueries } from '../../../../../../components/imports/history/history-queries';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'imports',
  permission: 'imports.read',
  queries: historyPageQueries,
  content: () => <HistoryPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
