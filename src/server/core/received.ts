import { maskShapes, maskValue } from './credentials';

/** What a request brought beside its body, as it may be stored. */
export interface Received {
  method: string;
  /** Parameters in their order, a name as often as it was given, their credentials masked. */
  query: [name: string, value: string][];
  /** Those that carry credentials are masked. */
  headers: Record<string, string>;
}

/** The parameters of a query as they may be stored. */
export function storedQuery(parameters: URLSearchParams): [name: string, value: string][] {
  return [...parameters].map(([name, value]) => [maskShapes(name), maskValue(name, value)]);
}

/** The headers as they may be stored. */
export function storedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [maskShapes(name), maskValue(name, String(value))]));
}
