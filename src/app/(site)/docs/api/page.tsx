import { DocsOverview } from '../../../../components/docs/docs-overview';
import { requestOrigin } from '../../../request-origin';

export default async function DocsPage() {
  return <DocsOverview origin={await requestOrigin()} />;
}
