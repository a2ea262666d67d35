import { CatalogImportPage } from '../../../../../../components/catalog/catalog-import-page';
import { shellPage } from '../../../../../shell-page';

const page = shellPage({
  area: 'catalog',
  otherAreas: ['csv'],
  permission: 'catalog.write',
  content: () => <CatalogImportPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
