/**
 * Returns the path to open after signing in: the requested one, or the overview if it is not a path of this site. Browsers treat
 * `//host` and `/\host` as other sites, and drop tabs and line breaks before they parse a URL.
 */
export function pathAfterSignIn(wanted: unknown, prefix: string): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted)) return prefix;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that browsers drop
  return /[\u0000-\u001f\\]/.test(wanted) ? prefix : wanted;
}
