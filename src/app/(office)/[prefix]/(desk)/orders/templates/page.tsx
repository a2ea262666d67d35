import { TemplatesPage } from '../../../../../../components/orders/templates/templates-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'export',
  permission: 'orders.read',
  queries: ({ trpc, load }) => load(trpc.exports.templates.queryOptions()),
  content: () => <TemplatesPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
