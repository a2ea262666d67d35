import { CountriesPage } from '../../../../../../components/countries/countries-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'countries',
  permission: 'orders.read',
  queries: ({ trpc, load }) =>
    Promise.all([load(trpc.countries.list.queryOptions()), load(trpc.countries.unmatched.queryOptions())]),
  content: () => <CountriesPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
