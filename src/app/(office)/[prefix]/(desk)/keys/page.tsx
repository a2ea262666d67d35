import { KeysPage } from '../../../../../components/keys/keys-page';
import { deskPage } from '../../../../desk-page';

const page = deskPage({ area: 'keys', may: 'keys.read', content: () => <KeysPage /> });

export const generateMetadata = page.generateMetadata;
export default page.Page;
