import { maskShapes, maskValue } from './credentials';

/** A request without its body, ready to be stored. */
export interface Received {
  method: string;
  /** Parameters in their order, including repeated ones, with credentials masked. */
  query: [name: string, value: string][];
  /** Headers that carry credentials are masked. */
  headers: Record<string, string>;
}

/** Returns the parameters of a query, ready to be stored. */
export function storedQuery(parameters: URLSearchParams): [name: string, value: string][] {
  return [...parameters].map(([name, value]) => [maskShapes(name), maskValue(name, value)]);
}

/** Returns the headers, ready to be stored. */
export function storedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const present = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    present.map(([name, value]) => [maskShapes(name), maskValue(name, String(value))]),
  );
}
