import { HYPHENS, LONG_DASHES } from '../core/text/plain-text';

// An order's `country_name` is matched, in the folded form below, against the names, aliases and two-letter codes of countries
// (docs/orders.md).
// The match itself is a join in orders/import/import.sql and, for names that are already stored, in countries.sql. Names and
// aliases are seeded from prisma/reference/countries.csv and country-aliases.csv.

const ACUTE_ACCENTS = /[\u00B4\u1FFD]/g;
const APOSTROPHES = /[\u2018\u2019\u201B\u02B9\u02BB\u02BC\u02BD\u02C8\u2032\u2035`]/g;
const DASHES = new RegExp(`[${HYPHENS}${LONG_DASHES}]`, 'g');
const COMBINING_MARKS = /[\u0300-\u036F]/g;

/**
 * Returns the normal form in which country names are compared, which the database stores next to them.
 *
 * Guarantee: two spellings that differ only in case, white space, accents (`Türkiye`, `Turkiye`), the kind of apostrophe or dash,
 * compatibility characters (full-width letters), or `&` for `and` have the same form, and folding a folded name changes nothing.
 * In Greek and Cyrillic, accents and breves are dropped too (й becomes и); marks of other scripts, such as the Japanese dakuten,
 * stay.
 */
export function foldCountryName(text: string): string {
  return text
    .replace(ACUTE_ACCENTS, "'") // typed instead of an apostrophe; NFKD would turn it into a space and a mark
    .normalize('NFKD')
    .toLowerCase() // lower, upper and lower again is full case folding: ẞ = ß = ss, İ = I = ı
    .toUpperCase()
    .toLowerCase()
    .replace(/ς/g, 'σ')
    .normalize('NFKD')
    .replace(COMBINING_MARKS, '')
    .replace(APOSTROPHES, "'")
    .replace(DASHES, '-')
    .replace(/&/g, ' and ')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim();
}
