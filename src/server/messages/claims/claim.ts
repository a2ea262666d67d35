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

/** Zeros of the decimal digits that NFKC leaves as they are; the nine code points after each are 1 to 9. */
const ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0,
];

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  const zero = ZEROS.find((from) => code >= from && code <= from + 9);
  return zero === undefined ? digit : String(code - zero);
}

/** One spelling for what looks the same: no invisible characters, no full-width letters, ASCII digits. */
export function plainText(text: string): string {
  return text
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .normalize('NFKC')
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit);
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
