import type { WarningKind } from '../warning';

/**
 * A statement in a text that can be checked. A claim in a reply is confirmed if a text or record gives one of the keys it asks
 * for. The two sets of keys differ if a text may say less than it means, such as a date without its year.
 */
export interface Claim {
  kind: WarningKind;
  /** As written. */
  value: string;
  asks: readonly string[];
  gives: readonly string[];
}

/** A claim as read from a pattern's match; its value is the whole match by default. */
export type ReadClaim = Omit<Claim, 'value'> & { value?: string };

/**
 * Claims of one kind, and the rest of the text to search for other claims: of the same length, with blanks instead of the
 * claims.
 */
export interface Found {
  claims: Claim[];
  rest: string;
}

/** The zeros of decimal digits that NFKC does not change; the nine code points after each are 1 to 9. */
const ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0,
];

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  const zero = ZEROS.find((from) => code >= from && code <= from + 9);
  return zero === undefined ? digit : String(code - zero);
}

/** Normalises text that looks the same: no invisible characters, no full-width letters, ASCII digits. */
export function plainText(text: string): string {
  return text
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .normalize('NFKC')
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit);
}

/** Finds claims by a pattern. `read` returns the claims of a match, or null if it claims nothing and stays in the text. */
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
    const named: unknown = parts.at(-1);
    const match = Object.assign(groups, typeof named === 'object' ? { groups: named } : {});
    const found = read(match as unknown as RegExpMatchArray);
    const value = String(parts[0]);
    if (found === null) return value;
    claims.push(...found.map((claim) => ({ value: value.trim(), ...claim })));
    return ' '.repeat(value.length);
  });
  return { claims, rest };
}

/** Applies finders in turn, each to what the previous one has left. */
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
