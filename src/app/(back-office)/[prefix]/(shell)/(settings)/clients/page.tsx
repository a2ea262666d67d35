import { ClientsPage } from '../../../../../../components/clients/clients-page';
import { defineBackOfficePage } from '../../../../../back-office-page';
import { getPageBridge } from '../../../../../session';

const page = defineBackOfficePage({
  namespace: 'clients',
  permission: 'clients.read',
  queries: ({ trpc, load }) => load(trpc.clients.list.queryOptions()),
  content: () => <ClientsPage issuer={getPageBridge().appUrl} />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
