/**
 * Returns the path to open after signing in: `path`, or the overview if `path` is missing or might lead to another site. Browsers
 * treat `//host` and `/\host` as other sites, and drop tabs and line breaks before they parse a URL.
 */
export function resolvePathAfterSignIn(path: unknown, prefix: string): string {
  if (typeof path !== 'string' || !/^\/(?![/\\])/.test(path)) return prefix;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: some of these are the characters that browsers drop
  return /[\u0000-\u001f\\]/.test(path) ? prefix : path;
}
