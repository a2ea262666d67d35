/** Countries that no longer exist but occur in old orders. */
export type FormerCountry = 'AN' | 'CS';

/**
 * Returns false for the code of a former country, such as AN: Intl would return the name of its successor.
 */
const isCurrentCountry = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

/**
 * Returns a function that looks up a country's name in one language by its two-letter code. If the language has no name for the
 * code, the function returns the stored name.
 * @param languageTag the language
 * @param formerNames the names of former countries
 */
export function createCountryNamer(
  languageTag: string,
  formerNames: Readonly<Record<FormerCountry, string>>,
): (code: string, storedName: string) => string {
  const displayNames = new Intl.DisplayNames(languageTag, { type: 'region', fallback: 'none' });
  return (code, storedName) => {
    if (Object.hasOwn(formerNames, code)) return formerNames[code as FormerCountry];
    return isCurrentCountry(code) ? (displayNames.of(code) ?? storedName) : storedName;
  };
}
