import { createReason, type Reason } from '../core/errors/reason';
import { displayText } from '../core/text/text';
import { isWallTime } from '../core/time';

/** The time of an event: an instant, missing, or unreadable with the reason. */
export type EventTime =
  /** Milliseconds since the Unix epoch, or null if the event has no time. */
  { at: number | null; problem: null } | { at: null; problem: Reason };

const DATE_TIME_PATTERNS = {
  extended: /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(.*))?$/i,
  basic: /^(\d{4})(\d{2})(\d{2})(?:[T ](\d{2})(?:(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?)?(.*))?$/i,
};
const OFFSET = /^([+-])(\d{2})(?::?([0-5]\d))?$/;
/** An offset in a separate field may have a single digit: `+8`. */
const SEPARATE_OFFSET = /^([+-])(\d{2}|\d(?!\d))(?::?([0-5]\d))?$/;
/** The largest UTC offset on Earth, in hours. */
const MAX_OFFSET_HOURS = 14;

/** Times outside these years, such as 1970, come from a wrong clock and would disturb the order of events. */
export const EARLIEST_TIME = Date.UTC(2000, 0, 1);
const LATEST_TIME = Date.UTC(2100, 0, 1) - 1;

const isInRange = (at: number) => at >= EARLIEST_TIME && at <= LATEST_TIME;

const MAX_SHOWN_LENGTH = 60;

/** Returns the value as shown in a reason: as JSON, shortened. */
function displayValue(value: unknown): string {
  return displayText(typeof value === 'number' ? String(value) : JSON.stringify(value), MAX_SHOWN_LENGTH);
}

const unreadableTime = (value: unknown): EventTime => ({
  at: null,
  problem: createReason('callback.unreadableTime', { value: displayValue(value) }),
});

/** Returns minutes east of UTC: 0 for an empty string or `Z`, null for a string that is not an offset. */
function parseOffsetMinutes(text: string, pattern: RegExp): number | null {
  if (text === '' || text.toUpperCase() === 'Z') return 0;
  const [, sign, hours, minutes] = pattern.exec(text) ?? [];
  if (hours === undefined || Number(hours) > MAX_OFFSET_HOURS) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0));
}

/** Returns minutes east of UTC for an offset sent as a number of hours; null if no offset is that large or has such a fraction. */
function offsetMinutesOfHours(hours: number): number | null {
  const minutes = hours * 60;
  return Math.abs(hours) <= MAX_OFFSET_HOURS && Number.isInteger(minutes) ? minutes : null;
}

/** Returns minutes east of UTC for an offset that is sent separately, or null if it is not an offset. */
const parseSeparateOffset = (zone: string | number) =>
  typeof zone === 'number' ? offsetMinutesOfHours(zone) : parseOffsetMinutes(zone, SEPARATE_OFFSET);

function readNumber(value: number): EventTime {
  // No number can be read both ways: within the range, a Unix time in seconds is far smaller than one in milliseconds.
  const at = [value * 1000, value].find(isInRange);
  return at === undefined ? unreadableTime(value) : { at: Math.round(at), problem: null };
}

function readText(value: string, zone: string | number): EventTime {
  const text = value.trim();
  const match = DATE_TIME_PATTERNS.extended.exec(text) ?? DATE_TIME_PATTERNS.basic.exec(text);
  if (!match) return unreadableTime(value);
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const ownOffset = (match[8] ?? '').trim();
  const offsetInMinutes =
    ownOffset === '' ? parseSeparateOffset(zone) : parseOffsetMinutes(ownOffset, OFFSET);
  if (offsetInMinutes === null) return unreadableTime(ownOffset === '' ? `${text} ${zone}` : value);
  if (!isWallTime({ year, month, day, hour, minute, second }))
    return { at: null, problem: createReason('callback.noSuchTime', { value: displayValue(value) }) };
  const millisecond = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const at = Date.UTC(year, month - 1, day, hour, minute - offsetInMinutes, second, millisecond);
  if (!isInRange(at))
    return { at: null, problem: createReason('callback.timeRange', { value: displayValue(value) }) };
  return { at, problem: null };
}

/**
 * Parses the time of an event in any form that carriers and relays send: ISO 8601 in its extended
 * (`2026-08-28T15:04:05.123+02:00`) or basic (`20260828T150405Z`) form; the time may be missing, and a space may replace the `T`.
 * A time without an offset is UTC, never this machine's time zone. A number is a Unix time in seconds or milliseconds. Missing,
 * null and blank values mean that there is no time. Anything else is rejected with a reason: a date or time that does not exist
 * (30 February), a Unix time sent as a string, any other string, a value of any other type, and a year outside 2000 to 2099.
 *
 * @param zone the offset if it is sent separately (`+02`, `+8`, `+0530`, `+05:30`, or the number 8); used if the text has none
 */
export function readEventTime(value: unknown, zone: unknown = null): EventTime {
  if (value === undefined || value === null) return { at: null, problem: null };
  if (typeof value === 'number') return readNumber(value);
  if (typeof value !== 'string') return unreadableTime(value);
  if (value.trim() === '') return { at: null, problem: null };
  if (typeof zone === 'number') return readText(value, zone);
  return readText(value, typeof zone === 'string' ? zone.trim() : '');
}
