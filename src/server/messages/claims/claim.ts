import type { WarningKind } from '../warning';

/**
 * A statement that can be checked. A claim in a reply is confirmed if one of its `confirmedBy` keys is among the `confirms` keys
 * of a source. The two sets usually differ, because a claim may be less specific than its source: a date without a year is
 * confirmed by that day in any year.
 */
export interface Claim {
  kind: WarningKind;
  /** The claim as it stands in the text that was searched. */
  value: string;
  /** The position of `value` in that text. */
  index: number;
  confirmedBy: readonly string[];
  confirms: readonly string[];
}

/** A claim read from a pattern's match. Its value defaults to the whole match. */
export type MatchedClaim = Omit<Claim, 'value' | 'index'> & { value?: string };

/**
 * The claims that were found, and the rest of the text, in which to search for other claims. The rest is as long as the text,
 * with spaces in place of the claims.
 */
export interface ExtractedClaims {
  claims: Claim[];
  rest: string;
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
    const indexPosition = parts.findIndex((part) => typeof part === 'number');
    const groups = parts.slice(0, indexPosition);
    const lastPart: unknown = parts.at(-1);
    const match = Object.assign(groups, typeof lastPart === 'object' ? { groups: lastPart } : {});
    const matchClaims = readClaims(match as unknown as RegExpMatchArray);
    const matchedText = String(parts[0]);
    if (matchClaims === null) return matchedText;
    for (const { value = matchedText.trim(), ...claim } of matchClaims) {
      // A value with a label, such as an order number, is the end of the match.
      const offset = matchedText.endsWith(value)
        ? matchedText.length - value.length
        : matchedText.indexOf(value);
      claims.push({ ...claim, value, index: Number(parts[indexPosition]) + offset });
    }
    return ' '.repeat(matchedText.length);
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
