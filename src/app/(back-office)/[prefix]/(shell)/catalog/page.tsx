import { CatalogPage } from '../../../../../components/catalog/catalog-page';
import { catalogPageQueries } from '../../../../../components/catalog/queries';
import { shellPage } from '../../../../shell-page';

const page = shellPage({
  area: 'catalog',
  permission: 'catalog.read',
  queries: catalogPageQueries,
  content: () => <CatalogPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
