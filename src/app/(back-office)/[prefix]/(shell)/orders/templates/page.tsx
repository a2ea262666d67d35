import { TemplatesPage } from '../../../../../../components/orders/templates/templates-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'export',
  permission: 'orders.read',
  queries: ({ trpc, load }) => load(trpc.exports.templates.queryOptions()),
  content: () => <TemplatesPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
