import { truncate } from '../../core/text/text';
import type { Warning } from '../warning';
import { applyFinders, plainText } from './claim';
import { FINDERS, groupOf, MAX_CLAIM_LENGTH } from './fact-check';

/**
 * Returns the order numbers, tracking numbers, dates, amounts, links and phone numbers in `text` that are missing from its
 * translation. The translation may repeat a claim as written or state it in its own language, such as "3 mars" for "March 3".
 */
export function lostClaims(text: string, translation: string): Warning[] {
  const translatedText = plainText(translation);
  const claimKeys = new Set(
    applyFinders(translatedText, FINDERS).claims.flatMap((claim) =>
      claim.confirms.map((key) => `${groupOf(claim)} ${key}`),
    ),
  );
  const warnings = new Map<string, Warning>();
  for (const claim of applyFinders(plainText(text), FINDERS).claims) {
    if (translatedText.includes(claim.value)) continue;
    if (claim.confirmedBy.some((key) => claimKeys.has(`${groupOf(claim)} ${key}`))) continue;
    const value = truncate(claim.value, MAX_CLAIM_LENGTH);
    warnings.set(`${claim.kind} ${value}`, { kind: claim.kind, value, reason: 'lost' });
  }
  return [...warnings.values()];
}
