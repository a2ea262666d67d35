import { CountriesPage } from '../../../../../../components/countries/countries-page';
import { shellPage } from '../../../../../shell-page';

const page = shellPage({
  area: 'countries',
  permission: 'orders.read',
  queries: ({ trpc, load }) =>
    Promise.all([load(trpc.countries.list.queryOptions()), load(trpc.countries.unmatched.queryOptions())]),
  content: () => <CountriesPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
