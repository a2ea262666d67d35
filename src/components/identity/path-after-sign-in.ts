/**
 * Where to go after signing in: the requested path, otherwise the overview. Only paths of this site count: to a browser
 * `//host` and `/\host` are other sites, and it removes tabs and line ends first.
 */
export function pathAfterSignIn(wanted: unknown, prefix: string): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted)) return prefix;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that browsers drop
  return /[\u0000-\u001f\\]/.test(wanted) ? prefix : wanted;
}
