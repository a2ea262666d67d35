import { DateTime } from 'luxon';

interface SummarySchedule {
  /** HH:MM. */
  sendAt: string;
  /** An IANA name. */
  timeZone: string;
  /** Summaries that were due before this time are not sent. */
  summaryFrom: Date;
}

/** A summary may still be sent on the next day if it was due at most this long ago: it may have been due just before midnight. */
const MAX_OVERNIGHT_DELAY_MS = 6 * 3_600_000;

/**
 * Returns the day whose summary is due, as YYYY-MM-DD in the reader's time zone, or null if none is due. Until today's summary is
 * due, yesterday's stays due for six hours after its time. A time that the clocks skip in spring is due an hour later. A time that
 * occurs twice in autumn is due the first time.
 *
 * @param now milliseconds since the Unix epoch
 */
export function findDueSummaryDay(
  { sendAt, timeZone, summaryFrom }: SummarySchedule,
  now: number,
): string | null {
  const today = DateTime.fromMillis(now, { zone: timeZone });
  const isDue = (timeMs: number) => timeMs <= now && timeMs >= summaryFrom.getTime();
  if (isDue(dueTimeMs(today, sendAt))) return today.toISODate();
  const yesterday = today.minus({ days: 1 });
  const yesterdayDueTimeMs = dueTimeMs(yesterday, sendAt);
  return isDue(yesterdayDueTimeMs) && now - yesterdayDueTimeMs <= MAX_OVERNIGHT_DELAY_MS
    ? yesterday.toISODate()
    : null;
}

function dueTimeMs({ year, month, day, zone }: DateTime, sendAt: string): number {
  const [hour, minute] = sendAt.split(':').map(Number);
  const localTime = DateTime.fromObject({ year, month, day, hour, minute }, { zone });
  return Math.min(...localTime.getPossibleOffsets().map((instant) => instant.toMillis()));
}
