import { AuditPage } from '../../../../../../components/audit/audit-page';
import { auditPageQueries } from '../../../../../../components/audit/queries';
import { deskPage } from '../../../../../desk-page';

const page = deskPage({
  area: 'audit',
  permission: 'audit.read',
  queries: auditPageQueries,
  content: () => <AuditPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
