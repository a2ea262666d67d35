import { ClientsPage } from '../../../../../../components/clients/clients-page';
import { deskPage } from '../../../../../desk-page';
import { pageBridge } from '../../../../../session';

const page = deskPage({
  area: 'clients',
  permission: 'clients.read',
  queries: ({ trpc, load }) => load(trpc.clients.list.queryOptions()),
  content: () => <ClientsPage issuer={pageBridge().appUrl} />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
