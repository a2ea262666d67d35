import { CatalogPage } from '../../../../../components/catalog/catalog-page';
import { deskPage } from '../../../../desk-page';

const page = deskPage({
  area: 'catalog',
  beside: ['reasons'],
  may: 'catalog.read',
  content: () => <CatalogPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
