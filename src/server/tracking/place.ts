import { latinParts, namesSomething } from './latin-text';

/** Longer than any town: what a carrier writes there is a sentence. */
const MAX_PART = 40;
const MAX_PLACE = 60;

/** Short words that are part of a name; all others of up to three letters are taken for codes (`CA`, `JFK`, `USA`). */
const SHORT_WORDS = new Set(
  'new los las san sao st ste ft fort el la le les de del der den des di do da dos van von of on and upon sur bad rio old big oak bay key lee ann air hub'.split(
    ' ',
  ),
);
const LONG_CODES = new Set(['USPS', 'YVR1']);

const US_STATES = new Set(
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR'.split(
    ' ',
  ),
);

const countries = new Intl.DisplayNames('en-US', { type: 'region', fallback: 'none' });

function tidyWord(word: string): string {
  if (LONG_CODES.has(word)) return word;
  if (word.length <= 3 && !SHORT_WORDS.has(word.toLowerCase())) return word;
  return word.slice(0, 1) + word.slice(1).toLowerCase();
}

/** `LOS ANGELES` as `Los Angeles`; what has a small letter was written with care and stays as it is. */
function tidyCase(part: string): string {
  if (/\p{Ll}/u.test(part) || part.length <= 2) return part;
  return part
    .replace(/\p{L}+/gu, tidyWord)
    .replace(/\b'S(?!\p{L})/gu, "'s")
    .replace(/\p{M}/gu, '');
}

/** A country's name for its code alone; a code that may as well be a state of the US stays, since both readings are likely. */
function countryOf(code: string): string {
  return (US_STATES.has(code) ? undefined : countries.of(code)) ?? code;
}

/**
 * A carrier's location in a form for a sentence, such as `Los Angeles, CA`, or null where there is none that an English
 * reader can read. At most 60 characters, whole parts only.
 */
export function readablePlace(location: string | null): string | null {
  if (!location) return null;
  let place = '';
  for (const part of latinParts(location)) {
    if (part.length > MAX_PART) continue;
    const longer = place ? `${place}, ${tidyCase(part)}` : tidyCase(part);
    if (longer.length > MAX_PLACE) break;
    place = longer;
  }
  if (!namesSomething(place)) return null;
  return /^[A-Z]{2}$/.test(place) ? countryOf(place) : place;
}
