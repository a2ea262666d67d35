const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];

/** A longer string is not a tracking number that somebody typed. */
const MAX_LENGTH = 40;

/**
 * Returns all strings that differ from a tracking number by one typing mistake: a wrong, missing or extra letter or digit, or two
 * adjacent characters swapped. These are about 75 per character, few enough to look up by index. Returns none for a string that is
 * too long.
 *
 * @param number in upper case and without spaces
 */
export function nearNumbers(number: string): string[] {
  if (number.length > MAX_LENGTH) return [];
  const nearStrings = new Set<string>();
  for (let index = 0; index <= number.length; index++) {
    const [before, after] = [number.slice(0, index), number.slice(index)];
    for (const character of ALPHABET) {
      nearStrings.add(before + character + after);
      if (after !== '') nearStrings.add(before + character + after.slice(1));
    }
    if (after !== '') nearStrings.add(before + after.slice(1));
    if (after.length > 1) nearStrings.add(before + after[1] + after[0] + after.slice(2));
  }
  nearStrings.delete(number);
  nearStrings.delete('');
  return [...nearStrings];
}
