import { StartPage } from '../../components/start-page';
import { requestOrigin } from '../request-origin';
import { pageBridge } from '../session';

export default async function Page() {
  return <StartPage origin={await requestOrigin()} backOfficePath={pageBridge().adminPrefix} />;
}
