import { DocsOverview } from '../../../../components/docs/docs-overview';
import { readRequestOrigin } from '../../../request-origin';

export default async function DocsPage() {
  return <DocsOverview origin={await readRequestOrigin()} />;
}
