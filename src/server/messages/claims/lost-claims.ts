import { toPlainText } from '../../core/text/plain-text';
import type { Warning } from '../warning';
import { applyFinders } from './claim';
import { CLAIM_FINDERS, createClaimReader, groupOf, MAX_WARNINGS, warningKeyOf } from './fact-check';

/** The maximum number of different claims that are searched for in the translation as written. Real texts have a few. */
const MAX_SEARCHES = 500;

/**
 * Returns the order numbers, tracking numbers, dates, amounts, links and phone numbers in `text` that are missing from its
 * translation, at most 100. The translation may repeat a claim as written or state it in its own language, such as "3 mars" for
 * "March 3". Takes linear time: beyond {@link MAX_SEARCHES}, claims that the translation only repeats as written count as
 * missing.
 */
export function findLostClaims(text: string, translation: string): Warning[] {
  const translatedText = toPlainText(translation);
  const claimKeys = new Set(
    applyFinders(translatedText, CLAIM_FINDERS).claims.flatMap((claim) =>
      claim.confirms.map((key) => `${groupOf(claim)} ${key}`),
    ),
  );
  const repeatedValues = new Map<string, boolean>();
  const isRepeated = (value: string) => {
    const known = repeatedValues.get(value);
    if (known !== undefined) return known;
    const found = repeatedValues.size < MAX_SEARCHES && translatedText.includes(value);
    repeatedValues.set(value, found);
    return found;
  };
  const toWrittenClaim = createClaimReader(text);
  const warnings = new Map<string, Warning>();
  for (const claim of applyFinders(toPlainText(text), CLAIM_FINDERS).claims) {
    if (claim.confirmedBy.some((key) => claimKeys.has(`${groupOf(claim)} ${key}`))) continue;
    if (isRepeated(claim.value)) continue;
    warnings.set(warningKeyOf(claim), { kind: claim.kind, value: toWrittenClaim(claim), reason: 'lost' });
    if (warnings.size === MAX_WARNINGS) break;
  }
  return [...warnings.values()];
}
