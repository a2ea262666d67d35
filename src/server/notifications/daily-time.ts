import { DateTime } from 'luxon';

interface DailyTime {
  /** HH:MM. */
  sendAt: string;
  /** An IANA name. */
  timeZone: string;
  /** Summaries that were due before this time are not sent. */
  summaryFrom: Date;
}

/**
 * Returns the day whose summary is due, as YYYY-MM-DD in the reader's time zone, or null before it is due. A time that the
 * clocks skip in spring is due an hour later. A time that occurs twice in autumn is due the first time.
 *
 * @param now milliseconds since the Unix epoch
 */
export function summaryDay({ sendAt, timeZone, summaryFrom }: DailyTime, now: number): string | null {
  const { year, month, day } = DateTime.fromMillis(now, { zone: timeZone });
  const [hour, minute] = sendAt.split(':').map(Number);
  const local = DateTime.fromObject({ year, month, day, hour, minute }, { zone: timeZone });
  const due = Math.min(...local.getPossibleOffsets().map((each) => each.toMillis()));
  return due <= now && due >= summaryFrom.getTime() ? local.toISODate() : null;
}
