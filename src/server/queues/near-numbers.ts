const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];

/** Longer texts are no tracking numbers that somebody has typed. */
const MAX_LENGTH = 40;

/**
 * Returns all texts that differ from a tracking number by one slip: a character wrong, missing or too many, or two neighbours
 * swapped. About 75 for each character, to look them up by an index.
 *
 * @param number in capitals and without spaces
 */
export function nearNumbers(number: string): string[] {
  if (number.length > MAX_LENGTH) return [];
  const near = new Set<string>();
  for (let at = 0; at <= number.length; at++) {
    const [before, after] = [number.slice(0, at), number.slice(at)];
    for (const letter of ALPHABET) {
      near.add(before + letter + after);
      if (after !== '') near.add(before + letter + after.slice(1));
    }
    if (after !== '') near.add(before + after.slice(1));
    if (after.length > 1) near.add(before + after[1] + after[0] + after.slice(2));
  }
  near.delete(number);
  near.delete('');
  return [...near];
}
