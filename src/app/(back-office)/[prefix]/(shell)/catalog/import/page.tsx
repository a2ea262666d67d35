import { getTranslations } from 'next-intl/server';
import { CatalogImportPage } from '../../../../../../components/catalog/catalog-import-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'catalog',
  title: async () => (await getTranslations('catalog'))('import.title'),
  otherNamespaces: ['csv'],
  permission: 'catalog.write',
  content: () => <CatalogImportPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
