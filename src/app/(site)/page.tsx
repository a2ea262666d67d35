import { StartPage } from '../../components/start-page';
import { readRequestOrigin } from '../request-origin';
import { getPageBridge } from '../session';

export default async function Page() {
  return <StartPage origin={await readRequestOrigin()} backOfficePath={getPageBridge().adminPrefix} />;
}
