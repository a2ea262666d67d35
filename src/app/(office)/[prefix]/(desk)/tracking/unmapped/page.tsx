import { getTranslations } from 'next-intl/server';
import { statusesPageQueries } from '../../../../../../components/tracking/queries';
import { WordsPage } from '../../../../../../components/tracking/words-page';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'tracking',
  title: async () => (await getTranslations('tracking'))('words.title'),
  may: 'tracking.read',
  queries: statusesPageQueries,
  content: () => <WordsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
