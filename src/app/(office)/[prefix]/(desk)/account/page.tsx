import { AccountPage } from '../../../../../components/identity/account-page';
import { accountPageQueries } from '../../../../../components/identity/queries';
import { deskPage } from '../../../../desk-page';

const page = deskPage({
  area: 'account',
  permission: null,
  queries: accountPageQueries,
  content: () => <AccountPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
