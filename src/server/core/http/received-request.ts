import { maskCredentials, maskValue } from '../credentials';

/** A request without its body, as it is stored: with credentials masked. */
export interface ReceivedRequest {
  method: string;
  /** Parameters in their order, including repeated ones. */
  query: [name: string, value: string][];
  headers: Record<string, string>;
}

/** Returns a query's parameters as they are stored, with credentials masked. */
export function maskQuery(parameters: URLSearchParams): [name: string, value: string][] {
  return [...parameters].map(([name, value]) => [maskCredentials(name), maskValue(name, value)]);
}

/** Returns the headers as they are stored, with credentials masked. */
export function maskHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const presentHeaders = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    presentHeaders.map(([name, value]) => [maskCredentials(name), maskValue(name, String(value))]),
  );
}
