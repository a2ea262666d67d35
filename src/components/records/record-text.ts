/** What came, as pairs of name and value in their order, however it is kept. */
export function pairsOf(kept: unknown): [string, string][] {
  const pairs = Array.isArray(kept) ? kept : Object.entries(kept ?? {});
  return pairs.map(([name, value]: [unknown, unknown]) => [
    String(name),
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

interface Body {
  body: string;
  body_encoding: 'text' | 'base64';
}

/** A body as text where it is any in UTF-8, else in base64 as it is handed over. */
export function bodyText({ body, body_encoding: encoding }: Body): { text: string; isText: boolean } {
  if (encoding === 'text') return { text: body, isText: true };
  try {
    const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isText: true };
  } catch {
    return { text: body, isText: false };
  }
}
