import type { WarningKind } from '../warning';

/**
 * A statement that can be checked. A claim in a reply is confirmed if one of its `confirmedBy` keys is among the `confirms` keys
 * of a source. The two sets usually differ, because a claim may be less specific than its source: a date without a year is
 * confirmed by that day in any year.
 */
export interface Claim {
  kind: WarningKind;
  /** The claim as written. */
  value: string;
  confirmedBy: readonly string[];
  confirms: readonly string[];
}

/** A claim read from a pattern's match. Its value defaults to the whole match. */
export type MatchedClaim = Omit<Claim, 'value'> & { value?: string };

/**
 * The claims that were found, and the rest of the text, in which to search for other claims. The rest is as long as the text,
 * with spaces in place of the claims.
 */
export interface ExtractedClaims {
  claims: Claim[];
  rest: string;
}

/** The zeros of the most common digits that NFKC does not change. The nine code points after each are 1 to 9. */
const ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0,
];

function toAsciiDigit(digit: string): string {
  const codePoint = digit.codePointAt(0)!;
  const zeroCodePoint = ZEROS.find((candidate) => codePoint >= candidate && codePoint <= candidate + 9);
  return zeroCodePoint === undefined ? digit : String(codePoint - zeroCodePoint);
}

/** Normalises text: removes invisible characters, and replaces full-width letters and common digits of other scripts with ASCII. */
export function toPlainText(text: string): string {
  return text
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .normalize('NFKC')
    .replace(/(?![0-9])\p{Nd}/gu, toAsciiDigit);
}

/**
 * Finds claims that match a pattern. `readClaims` returns the claims in a match, or null if the match claims nothing and should
 * stay in the text.
 */
export function findClaims(
  text: string,
  pattern: RegExp,
  readClaims: (match: RegExpMatchArray) => MatchedClaim[] | null,
): ExtractedClaims {
  const claims: Claim[] = [];
  const rest = text.replace(pattern, (...parts) => {
    const groups = parts.slice(
      0,
      parts.findIndex((part) => typeof part === 'number'),
    );
    const lastPart: unknown = parts.at(-1);
    const match = Object.assign(groups, typeof lastPart === 'object' ? { groups: lastPart } : {});
    const matchClaims = readClaims(match as unknown as RegExpMatchArray);
    const value = String(parts[0]);
    if (matchClaims === null) return value;
    claims.push(...matchClaims.map((claim) => ({ value: value.trim(), ...claim })));
    return ' '.repeat(value.length);
  });
  return { claims, rest };
}

/** Applies finders in order, each to the text that the previous one left over. */
export function applyFinders(
  text: string,
  finders: readonly ((text: string) => ExtractedClaims)[],
): ExtractedClaims {
  const claims: Claim[] = [];
  let rest = text;
  for (const finder of finders) {
    const extractedClaims = finder(rest);
    claims.push(...extractedClaims.claims);
    rest = extractedClaims.rest;
  }
  return { claims, rest };
}
