/** The formats of `sale_date` shown in the guide, and what each means; a test parses every example. */
export const DATE_EXAMPLES: readonly [text: string, meaning: string, instant: string][] = [
  ['8/22/2026', 'month first; midnight in New York', '2026-08-22T04:00:00Z'],
  ['08-22-26', 'with hyphens; years 00 to 69 are 20xx, 70 to 99 are 19xx', '2026-08-22T04:00:00Z'],
  ['8/22/2026 3:04 PM', 'with a time of day', '2026-08-22T19:04:00Z'],
  ['8/22/2026 15:04:05', 'with a 24-hour time, with or without seconds', '2026-08-22T19:04:05Z'],
  ['2026-08-22', 'an ISO day; midnight in New York', '2026-08-22T04:00:00Z'],
  ['2026-08-22T15:04:05Z', 'an ISO time with Z or an offset: that instant', '2026-08-22T15:04:05Z'],
  ['2026-08-22T15:04+08:00', 'the same, without seconds and with an offset', '2026-08-22T07:04:00Z'],
  ['2-Jan 2026', 'day, month in English, year', '2026-01-02T05:00:00Z'],
  ['46256', 'a spreadsheet’s day number, from 20000 to 80000', '2026-08-22T04:00:00Z'],
  ['3/8/2026 2:30 AM', 'a time that the clocks skip in spring moves forward an hour', '2026-03-08T07:30:00Z'],
  ['11/1/2026 1:30 AM', 'a time that occurs twice in autumn is the earlier one', '2026-11-01T05:30:00Z'],
];

/** Examples of dates that the import refuses. */
export const REFUSED_DATES: readonly string[] = ['22/8/2026', '2026-08-22T15:04', '22.8.2026', 'Jan 2, 2026'];
