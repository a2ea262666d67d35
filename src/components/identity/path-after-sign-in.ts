/**
 * Where to go after signing in: the path that was asked for, else the overview. Only a path of this site counts: `//host` and
 * `/\host` are other sites to a browser, and tabs and line ends are dropped by it before it looks.
 */
export function pathAfterSignIn(wanted: unknown, prefix: string): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted)) return prefix;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that browsers drop
  return /[\u0000-\u001f\\]/.test(wanted) ? prefix : wanted;
}
