import { CatalogPage } from '../../../../../components/catalog/catalog-page';
import { catalogPageQueries } from '../../../../../components/catalog/queries';
import { deskPage } from '../../../../desk-page';

const page = deskPage({
  area: 'catalog',
  permission: 'catalog.read',
  queries: catalogPageQueries,
  content: () => <CatalogPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
