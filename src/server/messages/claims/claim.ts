import type { WarningKind } from '../schema';

/**
 * Something that a text states and that can be checked. A claim of a reply is confirmed where a text or a record gives one of
 * the keys that it asks for. Asking and giving differ where a text may say less than it means: a date without its year.
 */
export interface Claim {
  kind: WarningKind;
  /** As written. */
  value: string;
  asks: readonly string[];
  gives: readonly string[];
}

/** A claim as a pattern's reader makes it; its value is the whole match unless it says otherwise. */
export type ReadClaim = Omit<Claim, 'value'> & { value?: string };

/** Claims of one kind, and what is left of the text to look for others in: of the same length, blank where they stood. */
export interface Found {
  claims: Claim[];
  rest: string;
}

/** One spelling for what looks the same: no invisible characters, no full-width digits. */
export function plainText(text: string): string {
  return text.replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '').normalize('NFKC');
}

/** Finds claims by a pattern; `read` answers what a match claims, or null where it claims nothing and is left standing. */
export function findClaims(
  text: string,
  pattern: RegExp,
  read: (match: RegExpMatchArray) => ReadClaim[] | null,
): Found {
  const claims: Claim[] = [];
  const rest = text.replace(pattern, (...parts) => {
    const groups = parts.slice(
      0,
      parts.findIndex((part) => typeof part === 'number'),
    );
    const found = read(groups as unknown as RegExpMatchArray);
    const value = String(parts[0]);
    if (found === null) return value;
    claims.push(...found.map((claim) => ({ value: value.trim(), ...claim })));
    return ' '.repeat(value.length);
  });
  return { claims, rest };
}

/** Applies finders one after the other, each to what the one before has left. */
export function findEach(text: string, finders: readonly ((text: string) => Found)[]): Found {
  const claims: Claim[] = [];
  let rest = text;
  for (const find of finders) {
    const found = find(rest);
    claims.push(...found.claims);
    rest = found.rest;
  }
  return { claims, rest };
}
