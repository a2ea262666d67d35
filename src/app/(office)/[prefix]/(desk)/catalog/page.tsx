import { CatalogPage } from '../../../../../components/catalog/catalog-page';
import { deskPage } from '../../../../desk-page';

const page = deskPage({
  area: 'catalog',
  may: 'catalog.read',
  content: () => <CatalogPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
