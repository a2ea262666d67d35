import { createReason } from '../../core/errors/reason';
import { isWallTime, newYorkToUtc, serialToWallTime, type WallTime } from '../../core/time';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const MONTH_FIRST_DATE =
  /^(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})(?: +(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([AaPp])[Mm])?)?$/;
const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const ISO_INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|([+-])(\d{2}):?(\d{2})?)$/;
const NAMED_MONTH_DATE = /^(\d{1,2})-([A-Za-z]{3}) (\d{4})$/;
const SERIAL_DAY = /^\d{5}(?:\.\d+)?$/;

const FIRST_SERIAL = 20_000;
const LAST_SERIAL = 80_000;
const FIRST_YEAR = 1900;
const LAST_YEAR = 2199;

/** Why a sale date that {@link readSaleDate} cannot read is refused. */
export const INVALID_SALE_DATE_REASON = createReason('cell.date');

/** An instant (milliseconds since the Unix epoch), and its date in the time zone of the cell, YYYY-MM-DD. */
export interface SaleDate {
  instantMs: number;
  day: string;
}

function midnightOf(year: number, month: number, day: number): WallTime {
  return { year, month, day, hour: 0, minute: 0, second: 0 };
}

function formatDay(time: WallTime): string {
  return `${time.year}-${String(time.month).padStart(2, '0')}-${String(time.day).padStart(2, '0')}`;
}

function toDateInNewYork(time: WallTime): SaleDate | null {
  if (time.year < FIRST_YEAR || time.year > LAST_YEAR || !isWallTime(time)) return null;
  return { instantMs: newYorkToUtc(time), day: formatDay(time) };
}

function readSerial(serial: number): SaleDate | null {
  if (serial < FIRST_SERIAL || serial > LAST_SERIAL) return null;
  return toDateInNewYork(serialToWallTime(serial));
}

/** Two-digit years 70 to 99 are 19xx, 00 to 69 are 20xx. */
function readYear(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return year >= 70 ? 1900 + year : 2000 + year;
}

function readMonthFirst(match: RegExpExecArray): SaleDate | null {
  const [, month, , day, year, hour, minute, second, meridiem] = match;
  const time = midnightOf(readYear(year!), Number(month), Number(day));
  if (hour !== undefined) {
    time.hour = Number(hour);
    time.minute = Number(minute);
    time.second = Number(second ?? 0);
    if (meridiem !== undefined) {
      if (time.hour < 1 || time.hour > 12) return null;
      time.hour = (time.hour % 12) + (meridiem.toLowerCase() === 'p' ? 12 : 0);
    }
  }
  return toDateInNewYork(time);
}

function readIsoInstant(match: RegExpExecArray): SaleDate | null {
  const [, year, month, day, hour, minute, second, fraction, , sign, offsetHour, offsetMinute] = match;
  const time: WallTime = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second ?? 0),
  };
  const totalOffsetMinutes = Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0);
  if (time.year < FIRST_YEAR || time.year > LAST_YEAR || !isWallTime(time) || totalOffsetMinutes > 14 * 60)
    return null;
  if (Number(offsetMinute ?? 0) > 59) return null;
  const utcMs = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
  const fractionMs = Number((fraction ?? '').padEnd(3, '0').slice(0, 3));
  return {
    instantMs: utcMs + fractionMs - (sign === '-' ? -totalOffsetMinutes : totalOffsetMinutes) * 60_000,
    day: formatDay(time),
  };
}

/**
 * Reads a date in one of the forms that docs/orders.md lists (`sale_date`). In all-numeric dates that do not begin with the year,
 * the month comes first. Times are in America/New_York unless they have an offset.
 *
 * @param cell trimmed text, or a number as a spreadsheet's serial day
 * @returns null for anything else
 */
export function readSaleDate(cell: string | number): SaleDate | null {
  if (typeof cell === 'number') return readSerial(cell);
  let match = MONTH_FIRST_DATE.exec(cell);
  if (match) return readMonthFirst(match);
  match = ISO_DAY.exec(cell);
  if (match) return toDateInNewYork(midnightOf(Number(match[1]), Number(match[2]), Number(match[3])));
  match = ISO_INSTANT.exec(cell);
  if (match) return readIsoInstant(match);
  match = NAMED_MONTH_DATE.exec(cell);
  if (match) {
    const month = MONTHS.indexOf(match[2]!.toLowerCase()) + 1;
    return month === 0 ? null : toDateInNewYork(midnightOf(Number(match[3]), month, Number(match[1])));
  }
  return SERIAL_DAY.test(cell) ? readSerial(Number(cell)) : null;
}
