/** From the particular to the general: most browsers also name those that they descend from. */
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

const find = (table: [RegExp, string][], text: string) => table.find(([pattern]) => pattern.test(text))?.[1];

/** A browser as people call it, such as "Firefox, Windows"; null where its text says nothing that is known. */
export function browserName(userAgent: string | null): string | null {
  const names = [find(BROWSERS, userAgent ?? ''), find(SYSTEMS, userAgent ?? '')].filter(Boolean);
  return names.length === 0 ? null : names.join(', ');
}
