/** Returns stored names and values as pairs, in the stored order, whether they are stored as pairs or as an object. */
export function pairsOf(fields: unknown): [string, string][] {
  const pairs = Array.isArray(fields) ? fields : Object.entries(fields ?? {});
  return pairs.map(([name, value]: [unknown, unknown]) => [
    String(name),
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

interface Body {
  body: string;
  body_encoding: 'text' | 'base64';
}

/** Returns a body as text if it is UTF-8, otherwise as the base64 that the service returned. */
export function decodeBody({ body, body_encoding: encoding }: Body): { text: string; isText: boolean } {
  if (encoding === 'text') return { text: body, isText: true };
  try {
    const bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isText: true };
  } catch {
    return { text: body, isText: false };
  }
}
