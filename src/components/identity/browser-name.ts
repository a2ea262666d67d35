/** From specific to general: most user agents also name the browsers that they derive from. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const findName = (table: [RegExp, string][], text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1];

/** Returns a readable name for a browser, such as "Firefox, Windows"; null for an unknown user agent. */
export function browserNameOf(userAgent: string | null): string | null {
  const names = [findName(BROWSERS, userAgent ?? ''), findName(SYSTEMS, userAgent ?? '')].filter(Boolean);
  return names.length === 0 ? null : names.join(', ');
}
