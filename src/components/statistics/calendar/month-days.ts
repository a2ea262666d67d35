/** Returns the last `count` months up to the month of `day`, as `YYYY-MM`, oldest first. */
export function lastMonths(day: string, count: number): string[] {
  const lastMonthIndex = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
  return Array.from({ length: count }, (_, index) => {
    const monthIndex = lastMonthIndex - count + 1 + index;
    return `${Math.floor(monthIndex / 12)}-${String((monthIndex % 12) + 1).padStart(2, '0')}`;
  });
}

/**
 * Returns the weeks of a month, seven days each; null for days of neighbouring months.
 * @param firstWeekday 0 for Sunday
 */
export function weeksOf(month: string, firstWeekday: 0 | 1): (string | null)[][] {
  const firstDate = new Date(`${month}-01T00:00:00Z`);
  const dayCount = new Date(
    Date.UTC(firstDate.getUTCFullYear(), firstDate.getUTCMonth() + 1, 0),
  ).getUTCDate();
  const leadingDayCount = (firstDate.getUTCDay() - firstWeekday + 7) % 7;
  return Array.from({ length: Math.ceil((leadingDayCount + dayCount) / 7) }, (_, weekIndex) =>
    Array.from({ length: 7 }, (_unused, weekdayIndex) => {
      const dayOfMonth = weekIndex * 7 + weekdayIndex - leadingDayCount + 1;
      return dayOfMonth >= 1 && dayOfMonth <= dayCount
        ? `${month}-${String(dayOfMonth).padStart(2, '0')}`
        : null;
    }),
  );
}
