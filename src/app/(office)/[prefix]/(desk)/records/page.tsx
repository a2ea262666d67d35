import { RecordsPage } from '../../../../../components/records/records-page';
import { deskPage } from '../../../../desk-page';

const page = deskPage({ area: 'records', may: 'records.read', content: () => <RecordsPage /> });

export const generateMetadata = page.generateMetadata;
export default page.Page;
