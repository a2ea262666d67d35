import { getTranslations } from 'next-intl/server';
import { ParcelsPage } from '../../../../../components/tracking/parcels-page';
import { shipmentsPageQueries } from '../../../../../components/tracking/queries';
import { deskPage } from '../../../../desk-page';

const page = deskPage({
  area: 'tracking',
  title: async () => (await getTranslations('tracking'))('parcels.title'),
  may: 'tracking.read',
  queries: shipmentsPageQueries,
  content: () => <ParcelsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
