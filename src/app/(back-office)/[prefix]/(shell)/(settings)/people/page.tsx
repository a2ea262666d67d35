import { PeoplePage } from '../../../../../../components/people/people-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'people',
  permission: 'users.read',
  queries: ({ trpc, load }) => load(trpc.people.list.queryOptions()),
  content: () => <PeoplePage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
