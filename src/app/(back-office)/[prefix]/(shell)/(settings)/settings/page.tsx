import { SettingsPage } from '../../../../../../components/settings/settings-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'settings',
  permission: 'settings.read',
  queries: ({ trpc, load }) => load(trpc.settings.health.queryOptions()),
  content: () => <SettingsPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
