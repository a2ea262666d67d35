import { ClientsPage } from '../../../../../../components/clients/clients-page';
import { pageBridge } from '../../../../../session';
import { shellPage } from '../../../../../shell-page';

const page = shellPage({
  area: 'clients',
  permission: 'clients.read',
  queries: ({ trpc, load }) => load(trpc.clients.list.queryOptions()),
  content: () => <ClientsPage issuer={pageBridge().appUrl} />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
