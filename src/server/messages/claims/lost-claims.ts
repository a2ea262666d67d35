import { truncate } from '../../core/text/text';
import type { Warning } from '../warning';
import { applyFinders, toPlainText } from './claim';
import { CLAIM_FINDERS, groupOf, MAX_CLAIM_LENGTH } from './fact-check';

/**
 * Returns the order numbers, tracking numbers, dates, amounts, links and phone numbers in `text` that are missing from its
 * translation. The translation may repeat a claim as written or state it in its own language, such as "3 mars" for "March 3".
 */
export function findLostClaims(text: string, translation: string): Warning[] {
  const translatedText = toPlainText(translation);
  const claimKeys = new Set(
    applyFinders(translatedText, CLAIM_FINDERS).claims.flatMap((claim) =>
      claim.confirms.map((key) => `${groupOf(claim)} ${key}`),
    ),
  );
  const warnings = new Map<string, Warning>();
  for (const claim of applyFinders(toPlainText(text), CLAIM_FINDERS).claims) {
    if (translatedText.includes(claim.value)) continue;
    if (claim.confirmedBy.some((key) => claimKeys.has(`${groupOf(claim)} ${key}`))) continue;
    const value = truncate(claim.value, MAX_CLAIM_LENGTH);
    warnings.set(`${claim.kind} ${value}`, { kind: claim.kind, value, reason: 'lost' });
  }
  return [...warnings.values()];
}
