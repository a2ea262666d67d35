import { CatalogPage } from '../../../../../components/catalog/catalog-page';
import { catalogPageQueries } from '../../../../../components/catalog/queries';
import { defineBackOfficePage } from '../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'catalog',
  permission: 'catalog.read',
  queries: catalogPageQueries,
  content: () => <CatalogPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
