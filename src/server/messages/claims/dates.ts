import { anyOf } from './any-of';
import { applyFinders, type ExtractedClaims, findClaims, type MatchedClaim } from './claim';

/** Month names in the languages that buyers use most, and English abbreviations, in lower case. */
const MONTH_BY_NAME = new Map<string, number>(
  ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'].flatMap((locale) => {
    const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, month): [string, number] => [
      format
        .format(Date.UTC(2026, month, 15))
        .toLowerCase()
        .normalize('NFKC'),
      month + 1,
    ]);
  }),
);
for (const [index, abbreviation] of 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').entries())
  MONTH_BY_NAME.set(abbreviation, index + 1);
MONTH_BY_NAME.set('sept', 9);

const MONTH = `(?<!\\p{L})(${anyOf(MONTH_BY_NAME.keys())})(?!\\p{L})`;
const DAY = String.raw`(\d{1,2})(?!\d)(?:st|nd|rd|th|er|º)?`;
const TO = String.raw`\s?(?:-|–|—|to|and|bis)\s?`;
const YEAR = String.raw`(?:,?\s(?:del?\s)?(\d{4})(?!\d))?`;

const YEAR_FIRST = /(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/g;
const NUMERIC_DATE = /(?<!\d)(?<!\d[/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?!\d|[/.-]\d)/g;
const CJK_DATE = /(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号]/g;
const MONTH_FIRST = new RegExp(`${MONTH}\\.?\\s${DAY}(?:${TO}${DAY})?${YEAR}`, 'giu');
const DAY_FIRST = new RegExp(
  `(?<!\\d)(?:${DAY}\\.?${TO})?${DAY}\\.?\\s(?:of\\s|de\\s)?${MONTH}\\.?${YEAR}`,
  'giu',
);
/** A numeric date without a year needs a preceding word such as "on": `1/2` alone may be a fraction. */
const YEARLESS_DATE = /(?<=\b(?:on|by|before|until|till|since|from|after)\s)(\d{1,2})\/(\d{1,2})(?![\d/])/gi;

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(month: number, day: number): boolean {
  return day >= 1 && day <= (DAYS_IN_MONTH[month - 1] ?? 0);
}

function toFullYear(text: string): number {
  const year = Number(text);
  return text.length === 4 ? year : year + (year >= 70 ? 1900 : 2000);
}

interface PossibleDate {
  year: number | null;
  month: number;
  day: number;
}

/** Returns the claim for a date that can be read as any of these days. A date without a year may be in any year. */
export function dateClaim(possibleDates: readonly PossibleDate[]): MatchedClaim {
  return {
    kind: 'date',
    confirmedBy: possibleDates.flatMap(({ year, month, day }) =>
      year === null ? [`any-${month}-${day}`] : [`${year}-${month}-${day}`, `none-${month}-${day}`],
    ),
    confirms: possibleDates.flatMap(({ year, month, day }) => [
      `any-${month}-${day}`,
      `${year ?? 'none'}-${month}-${day}`,
      `month-${month}`,
      `day ${day}`,
    ]),
  };
}

/** Reads month and day in either order, since both orders are in use. Returns null if neither gives a date. */
function readNumericDate(year: number | null, first: number, second: number): MatchedClaim[] | null {
  const possibleDates = [
    { year, month: first, day: second },
    { year, month: second, day: first },
  ].filter(({ month, day }) => isDay(month, day));
  return possibleDates.length > 0 ? [dateClaim(possibleDates)] : null;
}

/** Reads days of a month given by name or, in Chinese, by number. Includes February 30, which no record will confirm. */
function readDaysOfMonth(month: number, days: readonly (string | undefined)[], year: string | undefined) {
  const validDays = days.map(Number).filter((day) => day >= 1 && day <= 31);
  const claims = validDays.map((day) => dateClaim([{ year: year ? Number(year) : null, month, day }]));
  return claims.length > 0 ? claims : null;
}

const monthOf = (name: string) => MONTH_BY_NAME.get(name.toLowerCase())!;

const FINDERS = [
  (text: string) =>
    findClaims(text, YEAR_FIRST, ([, year, , month, day]) =>
      isDay(Number(month), Number(day))
        ? [dateClaim([{ year: Number(year), month: Number(month), day: Number(day) }])]
        : null,
    ),
  (text: string) =>
    findClaims(text, NUMERIC_DATE, ([, first, , second, year]) =>
      readNumericDate(toFullYear(year!), Number(first), Number(second)),
    ),
  (text: string) =>
    findClaims(text, CJK_DATE, ([, year, month, day]) => readDaysOfMonth(Number(month), [day], year)),
  (text: string) =>
    findClaims(text, MONTH_FIRST, ([, month, first, last, year]) =>
      readDaysOfMonth(monthOf(month!), [first, last], year),
    ),
  (text: string) =>
    findClaims(text, DAY_FIRST, ([, first, last, month, year]) =>
      readDaysOfMonth(monthOf(month!), [first, last], year),
    ),
  (text: string) =>
    findClaims(text, YEARLESS_DATE, ([, first, second]) =>
      readNumericDate(null, Number(first), Number(second)),
    ),
];

/** Finds dates in the usual formats with digits. date-words.ts finds the others. */
export function findDates(text: string): ExtractedClaims {
  return applyFinders(text, FINDERS);
}
