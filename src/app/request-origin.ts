import { headers } from 'next/headers';

/** The origin under which the visitor reached the service, for examples that can be pasted unchanged. */
export async function requestOrigin(): Promise<string> {
  const sent = await headers();
  const protocol = sent.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${protocol}://${sent.get('host') ?? 'localhost:3000'}`;
}
