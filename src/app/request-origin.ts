import { headers } from 'next/headers';

/** The address under which the visitor has reached the service, for examples that can be pasted as they are. */
export async function requestOrigin(): Promise<string> {
  const sent = await headers();
  const protocol = sent.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${protocol}://${sent.get('host') ?? 'localhost:3000'}`;
}
