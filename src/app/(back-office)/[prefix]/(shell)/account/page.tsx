import { AccountPage } from '../../../../../components/identity/account-page';
import { accountPageQueries } from '../../../../../components/identity/queries';
import { defineBackOfficePage } from '../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'account',
  permission: null,
  queries: accountPageQueries,
  content: () => <AccountPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
