/** What a request brought beside its body, as it may be stored. */
export interface Received {
  method: string;
  /** Parameters in their order, a name as often as it was given. */
  query: [name: string, value: string][];
  /** Without those that carry credentials. */
  headers: Record<string, string>;
}

const CREDENTIALS =
  /^(authorization|proxy-authorization|cookie|x-api-key|sign)$|token|secret|password|signature/i;

/** The headers that may be stored: all but those that carry credentials, by their name or by anything like it. */
export function withoutCredentials(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !CREDENTIALS.test(name),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
