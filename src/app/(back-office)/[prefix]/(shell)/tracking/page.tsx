import { getTranslations } from 'next-intl/server';
import { shipmentsPageQueries } from '../../../../../components/tracking/queries';
import { ShipmentsPage } from '../../../../../components/tracking/shipments-page';
import { defineBackOfficePage } from '../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'tracking',
  title: async () => (await getTranslations('tracking'))('shipments.title'),
  permission: 'tracking.read',
  queries: shipmentsPageQueries,
  content: () => <ShipmentsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
