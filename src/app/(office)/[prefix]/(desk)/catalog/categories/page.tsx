import { CategoriesPage } from '../../../../../../components/catalog/categories-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'catalog',
  permission: 'catalog.read',
  queries: ({ trpc, load }) => load(trpc.catalog.categories.queryOptions()),
  content: () => <CategoriesPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
