import { getTranslations } from 'next-intl/server';
import { CategoriesPage } from '../../../../../../components/catalog/categories-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'catalog',
  title: async () => (await getTranslations('catalog'))('categories.title'),
  permission: 'catalog.read',
  queries: ({ trpc, load }) => load(trpc.catalog.categories.queryOptions()),
  content: () => <CategoriesPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
