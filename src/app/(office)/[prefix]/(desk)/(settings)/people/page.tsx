import { PeoplePage } from '../../../../../../components/people/people-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'people',
  permission: 'users.read',
  queries: ({ trpc, load }) => load(trpc.people.list.queryOptions()),
  content: () => <PeoplePage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
