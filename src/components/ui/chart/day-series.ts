/** A line or the bars of a chart; `before` is the grey line of the previous period. */
export interface DaySeries {
  key: string;
  label: string;
  type: 'bar' | 'line' | 'before';
}

/** One day's figures by series key. A missing figure is null or omitted, not zero. */
export interface DayFigures {
  day: string;
  figures: Readonly<Record<string, string | number | null | undefined>>;
}
