import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { ListingDaysPage } from '../../../../../../../components/statistics/days/listing-days-page';
import { listingDaysPageQueries } from '../../../../../../../components/statistics/queries';
import { defineBackOfficePage } from '../../../../../../back-office-page';

const page = defineBackOfficePage<{ listing: string }>({
  namespace: 'statistics',
  otherNamespaces: ['days', 'shell'],
  title: async ({ listing }) => `${(await getTranslations('statistics'))('listing')} ${listing}`,
  permission: 'statistics.read',
  queries: listingDaysPageQueries,
  content: ({ listing }) =>
    /^\d{1,15}$/.test(listing) ? <ListingDaysPage listingId={Number(listing)} /> : notFound(),
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
