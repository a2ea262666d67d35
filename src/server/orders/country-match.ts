/**
 * Which country an order's `country_name` means.
 *
 * The rule (decisions.md, "Order import"): the name is matched case-insensitively against the stored names
 * and their aliases; one that matches nothing is kept as text and reported. Names and aliases are seeded from
 * prisma/reference/countries.csv and country-aliases.csv.
 */

const ACUTE_ACCENTS = /[\u00B4\u1FFD]/g;
const APOSTROPHES = /[\u2018\u2019\u201B\u02B9\u02BB\u02BC\u02BD\u02C8\u2032\u2035`]/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
const LATIN_MARKS = /[\u0300-\u036F]/g;

/**
 * `NA` is the one code that cells also hold for "not available" (real exports have `na` as a zip code), so it
 * never stands for Namibia: such a cell stays text and is reported instead of becoming a wrong country.
 */
const CODES_THAT_ARE_NO_NAMES: ReadonlySet<string> = new Set(['NA']);

/**
 * The one normal form in which country names are compared, and which the database stores beside them.
 *
 * Guarantee: two spellings that differ only in case, white space, accents (`Türkiye`, `Turkiye`), the kind of
 * apostrophe or dash, compatibility characters (full-width letters), or `&` for `and` have the same form; and
 * folding a folded name changes nothing. Only the Latin accents are dropped: marks that make another letter
 * in other scripts stay, so that aliases in those scripts remain distinct.
 */
export function foldCountryName(text: string): string {
  return text
    .replace(ACUTE_ACCENTS, "'") // typed for an apostrophe; NFKD would make it a space and a mark
    .normalize('NFKD')
    .toLowerCase() // down, up and down again is full case folding: ẞ = ß = ss, İ = I = ı
    .toUpperCase()
    .toLowerCase()
    .replace(/ς/g, 'σ')
    .normalize('NFKD')
    .replace(LATIN_MARKS, '')
    .replace(APOSTROPHES, "'")
    .replace(DASHES, '-')
    .replace(/&/g, ' and ')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * The lookup table from folded name to country code.
 *
 * Guarantee: every name, alias and two-letter code (but `NA`) is found, unless a stronger claim to the same
 * form exists: names come before codes, codes before aliases, an earlier row before a later one. So an alias
 * added by hand can never take a country's own name away. Blank names are left out. The reference files hold
 * no such conflict, which a test proves.
 */
export function buildCountryIndex(
  countries: readonly { code: string; name: string }[],
  aliases: readonly { alias: string; code: string }[],
): Map<string, string> {
  const index = new Map<string, string>();
  const claim = (name: string, code: string): void => {
    const form = foldCountryName(name);
    if (form !== '' && !index.has(form)) index.set(form, code);
  };
  for (const { code, name } of countries) claim(name, code);
  for (const { code } of countries) if (!CODES_THAT_ARE_NO_NAMES.has(code)) claim(code, code);
  for (const { alias, code } of aliases) claim(alias, code);
  return index;
}

/**
 * The code of the country that `name` means, or null when the name is unknown.
 *
 * Guarantee: never a guess. Only a whole name, alias or code matches, no part and no near miss; the caller
 * keeps an unmatched name as text and reports it (decisions.md, "Order import").
 */
export function matchCountry(index: ReadonlyMap<string, string>, name: string): string | null {
  return index.get(foldCountryName(name)) ?? null;
}
