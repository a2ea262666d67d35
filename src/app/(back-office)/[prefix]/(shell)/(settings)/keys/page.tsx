import { KeysPage } from '../../../../../../components/keys/keys-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'keys',
  permission: 'keys.read',
  queries: ({ trpc, load }) => load(trpc.keys.list.queryOptions()),
  content: () => <KeysPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
