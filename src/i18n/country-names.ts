/** Countries that no longer exist but occur in old orders. */
export type FormerCountry = 'AN' | 'CS';

/**
 * Returns whether a code stands for a current country; for a former one such as AN, Intl would return the name of its successor.
 */
const isCurrent = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

/**
 * Returns a function that names a country in a language by its two-letter code, or as stored if the language has no name for it.
 * @param tag the language
 * @param former the names of former countries
 */
export function createCountryNamer(
  tag: string,
  former: Readonly<Record<FormerCountry, string>>,
): (code: string, stored: string) => string {
  const names = new Intl.DisplayNames(tag, { type: 'region' });
  return (code, stored) => {
    if (Object.hasOwn(former, code)) return former[code as FormerCountry];
    return isCurrent(code) ? (names.of(code) ?? stored) : stored;
  };
}
