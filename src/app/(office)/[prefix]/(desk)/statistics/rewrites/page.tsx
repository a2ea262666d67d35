import { ChangesPage } from '../../../../../../components/statistics/changes-page';
import { changesPageQueries } from '../../../../../../components/statistics/queries';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'statistics',
  beside: ['days', 'shell'],
  may: 'statistics.read',
  queries: changesPageQueries,
  content: () => <ChangesPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
