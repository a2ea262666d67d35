import { AuditPage } from '../../../../../../components/audit/audit-page';
import { auditPageQueries } from '../../../../../../components/audit/queries';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'audit',
  otherNamespaces: ['keys', 'notifications'],
  permission: 'audit.read',
  queries: auditPageQueries,
  content: () => <AuditPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
