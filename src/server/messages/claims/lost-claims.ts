import { truncate } from '../../core/text/text';
import type { Warning } from '../warning';
import { applyFinders, toPlainText } from './claim';
import { CLAIM_FINDERS, groupOf, MAX_CLAIM_LENGTH, MAX_WARNINGS } from './fact-check';

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
  const warnings = new Map<string, Warning>();
  for (const claim of applyFinders(toPlainText(text), CLAIM_FINDERS).claims) {
    if (claim.confirmedBy.some((key) => claimKeys.has(`${groupOf(claim)} ${key}`))) continue;
    if (isRepeated(claim.value)) continue;
    const value = truncate(claim.value, MAX_CLAIM_LENGTH);
    warnings.set(`${claim.kind} ${value}`, { kind: claim.kind, value, reason: 'lost' });
    if (warnings.size === MAX_WARNINGS) break;
  }
  return [...warnings.values()];
}
