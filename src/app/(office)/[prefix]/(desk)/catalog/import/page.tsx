import { CatalogImportPage } from '../../../../../../components/catalog/catalog-import-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'catalog',
  otherAreas: ['csv'],
  permission: 'catalog.write',
  content: () => <CatalogImportPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
