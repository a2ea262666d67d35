import { KeysPage } from '../../../../../../components/keys/keys-page';
import { shellPage } from '../../../../../shell-page';

const page = shellPage({
  area: 'keys',
  permission: 'keys.read',
  queries: ({ trpc, load }) => load(trpc.keys.list.queryOptions()),
  content: () => <KeysPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
