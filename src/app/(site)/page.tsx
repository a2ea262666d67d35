import { StartSheet } from '../../components/start-sheet';
import { requestOrigin } from '../request-origin';
import { pageBridge } from '../session';

export default async function StartPage() {
  return <StartSheet origin={await requestOrigin()} backOfficePath={pageBridge().adminPrefix} />;
}
