import { StartSheet } from '../../components/start-sheet';
import { requestOrigin } from '../request-origin';

export default async function StartPage() {
  return <StartSheet origin={await requestOrigin()} />;
}
