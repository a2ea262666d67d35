import { CountriesPage } from '../../../../../components/countries/countries-page';
import { deskPage } from '../../../../desk-page';

const page = deskPage({
  area: 'countries',
  may: 'orders.read',
  content: () => <CountriesPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
