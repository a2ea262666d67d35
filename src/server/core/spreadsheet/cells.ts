import { DAY_MS, isRealDay } from '../days';

export type SpreadsheetCell = string | number | boolean | null;

/**
 * The ids of built-in number formats for dates and times in any language of Excel (ECMA-376 18.8.30), as ranges: first and last.
 */
const DATE_FORMAT_ID_RANGES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
] as const;
/** The maximum length of a format code that Excel accepts. */
const MAX_FORMAT_LENGTH = 255;

/** Days from the start of each date system to 1 January 1970. */
const EPOCH_DAYS = { 1900: 25_569, 1904: 24_107 };

const ESCAPED_CHARACTER = /_x([0-9A-Fa-f]{4})_/g;
const ISO_DATE = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?Z?)?$/;

/** The literal parts of a format code: quoted text, escaped, padding and fill characters, brackets other than elapsed times. */
const LITERALS = /"[^"]*"|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi;

/** Returns whether a format shows dates or times: by its built-in id, or the letters in its code (ECMA-376 18.8.31). */
export function isDateTimeFormat(id: number, code: string | undefined): boolean {
  if (DATE_FORMAT_ID_RANGES.some(([first, last]) => id >= first && id <= last)) return true;
  return (
    code !== undefined && code.length <= MAX_FORMAT_LENGTH && /[dhmsy]/i.test(code.replace(LITERALS, ''))
  );
}

/** Decodes escapes such as `_x000D_`, which stand for characters that XML cannot represent (ECMA-376 22.9.2.19). */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(ESCAPED_CHARACTER, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Formats the wall-clock time of a date cell with the month first, as the import expects it; null if it is out of range. */
function dateText(wallTimeMs: number): string | null {
  const roundedTime = new Date(Math.round(wallTimeMs / 1000) * 1000);
  if (Number.isNaN(roundedTime.getTime())) return null;
  const day = `${roundedTime.getUTCMonth() + 1}/${roundedTime.getUTCDate()}/${roundedTime.getUTCFullYear()}`;
  const clock = roundedTime.toISOString().slice(-13, -5);
  return clock === '00:00:00' ? day : `${day} ${clock}`;
}

/** Formats a serial day number in the workbook's date system as a date; null if it is out of range. */
export function serialDateText(serial: number, dateSystem: 1900 | 1904): string | null {
  return dateText((serial - EPOCH_DAYS[dateSystem]) * DAY_MS);
}

/**
 * Formats an ISO date like other date cells; undefined if the value is not one. A day or time that does not exist, such as
 * 2026-02-30, stays as it is, so that the import reports it instead of treating the cell as blank.
 */
export function isoDateText(value: string): string | undefined {
  const text = value.trim();
  const [, day, clock] = ISO_DATE.exec(text) ?? [];
  if (day === undefined) return undefined;
  return (isRealDay(day) ? dateText(Date.parse(`${day}T${clock ?? '00:00'}Z`)) : null) ?? text;
}
