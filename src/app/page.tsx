import { headers } from 'next/headers';
import { StartSheet } from '../components/start-sheet';

export default async function StartPage() {
  const sent = await headers();
  const protocol = sent.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return <StartSheet origin={`${protocol}://${sent.get('host') ?? 'localhost:3000'}`} />;
}
