import { KeysPage } from '../../../../../../components/keys/keys-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'keys',
  permission: 'keys.read',
  queries: ({ trpc, load }) => load(trpc.keys.list.queryOptions()),
  content: () => <KeysPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
