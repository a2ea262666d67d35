import { headers } from 'next/headers';

/** Returns the origin at which the visitor reached the service, so that examples can be pasted unchanged. */
export async function readRequestOrigin(): Promise<string> {
  const requestHeaders = await headers();
  const protocol = requestHeaders.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${protocol}://${requestHeaders.get('host') ?? 'localhost:3000'}`;
}
