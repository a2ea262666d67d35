import { CatalogImportPage } from '../../../../../../components/catalog/catalog-import-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  area: 'catalog',
  otherAreas: ['csv'],
  permission: 'catalog.write',
  content: () => <CatalogImportPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
