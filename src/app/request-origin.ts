import { headers } from 'next/headers';

/** Returns the origin at which the visitor reached the service, so that examples can be pasted unchanged. */
export async function requestOrigin(): Promise<string> {
  const sent = await headers();
  const protocol = sent.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${protocol}://${sent.get('host') ?? 'localhost:3000'}`;
}
