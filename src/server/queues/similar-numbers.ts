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
export function listSimilarNumbers(number: string): string[] {
  if (number.length > MAX_LENGTH) return [];
  const similarStrings = new Set<string>();
  for (let index = 0; index <= number.length; index++) {
    const [head, tail] = [number.slice(0, index), number.slice(index)];
    for (const character of ALPHABET) {
      similarStrings.add(head + character + tail);
      if (tail !== '') similarStrings.add(head + character + tail.slice(1));
    }
    if (tail !== '') similarStrings.add(head + tail.slice(1));
    if (tail.length > 1) similarStrings.add(head + tail[1] + tail[0] + tail.slice(2));
  }
  similarStrings.delete(number);
  similarStrings.delete('');
  return [...similarStrings];
}
