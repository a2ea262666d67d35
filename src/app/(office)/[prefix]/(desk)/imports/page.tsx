import { HistoryPage } from '../../../../../components/imports/history-page';
import { deskPage } from '../../../../desk-page';

const page = deskPage({ area: 'imports', may: 'imports.read', content: () => <HistoryPage /> });

export const generateMetadata = page.generateMetadata;
export default page.Page;
