import { hasWord, latinParts } from './latin-text';

/** The maximum length of a town name. Anything longer is taken for a sentence. */
const MAX_PART_LENGTH = 40;
const MAX_PLACE_LENGTH = 60;

/** Short words that are part of a name. Other words of up to three letters are treated as codes (`CA`, `JFK`, `USA`). */
const SHORT_WORDS = new Set(
  'new los las san sao st ste ft el la le les da de del der den des di do dos du van von of and upon am sur bad rio old big bay'.split(
    ' ',
  ),
);

const US_STATES = new Set(
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR'.split(
    ' ',
  ),
);

/** Created when it is first needed, because loading its data slows the start. */
let countryNames: Intl.DisplayNames | undefined;

/** Turns `LOS ANGELES` into `Los Angeles`. A string with a lower-case letter stays as it is. */
function normaliseCapitals(part: string): string {
  if (/\p{Ll}/u.test(part)) return part;
  const normaliseWord = (word: string, start: number): string => {
    const isLast = start + word.length === part.length;
    const isCode = word.length <= 3 && !SHORT_WORDS.has(word.toLowerCase());
    if (isCode || word === 'USPS' || (isLast && word.length === 2)) return word;
    return word.slice(0, 1) + word.slice(1).toLowerCase();
  };
  return part
    .replace(/\p{L}+/gu, normaliseWord)
    .replace(/(?<=\p{L})'S(?!\p{L})/gu, "'s")
    .replace(/\p{M}/gu, ''); // lower-casing İ gives two characters
}

/**
 * Returns the name of the country with this code. A code stays as it is if it is unknown, or if a US state has it too, because it
 * is then ambiguous.
 */
function countryNameOf(code: string): string {
  countryNames ??= new Intl.DisplayNames('en-US', { type: 'region', style: 'short', fallback: 'none' });
  return (US_STATES.has(code) ? undefined : countryNames.of(code)) ?? code;
}

/**
 * Returns a carrier's location in a form that fits a sentence, such as `Los Angeles, CA`, or null if no part of it is readable
 * in English or a part is too long for a town. The result has at most 60 characters, in whole parts.
 */
export function readableLocation(location: string | null): string | null {
  if (!location) return null;
  let place = '';
  for (const part of latinParts(location)) {
    if (part.length > MAX_PART_LENGTH) return null;
    const longerPlace = place ? `${place}, ${normaliseCapitals(part)}` : normaliseCapitals(part);
    if (longerPlace.length > MAX_PLACE_LENGTH) break;
    place = longerPlace;
  }
  if (!hasWord(place)) return null;
  return /^[A-Z]{2}$/.test(place) ? countryNameOf(place) : place;
}
