'use client';

import '@mantine/charts/styles.layer.css';
import { CompositeChart } from '@mantine/charts';
import type { DayFigures, DaySeries } from './day-series';
import { useFigureText } from './figure-text';

/** Lines differ by more than their colour. */
const DASHES = [undefined, '6 4', '2 3', '10 4', '4 2', '8 2 2 2'];
/** Up to this many days each point has a dot; otherwise a day between two gaps would be invisible. */
const MOST_DOTS = 62;

interface Props {
  height: number;
  series: readonly DaySeries[];
  days: readonly DayFigures[];
  say: (figure: string | number) => string;
}

/** The chart itself; loaded when a page with charts is opened. */
export function DayPlot({ height, series, days, say }: Props) {
  const text = useFigureText();
  const data = days.map(({ day, figures }) => ({
    day,
    ...Object.fromEntries(
      series.map(({ key }, index) => {
        const figure = figures[key];
        return [`series${index}`, figure === null || figure === undefined ? null : Number(figure)];
      }),
    ),
  }));
  return (
    <CompositeChart
      h={height}
      data={data}
      dataKey="day"
      series={series.map(({ label, type }, index) => ({
        name: `series${index}`,
        label,
        type,
        color: `var(--chart-series-${index})`,
        strokeDasharray: DASHES[index],
      }))}
      curveType="linear"
      strokeWidth={2}
      connectNulls={false}
      withDots={days.length <= MOST_DOTS}
      dotProps={{ r: 2 }}
      activeDotProps={{ r: 4 }}
      maxBarWidth={32}
      tickLine="none"
      strokeDasharray="0"
      accessibilityLayer={false}
      valueFormatter={say}
      xAxisProps={{ tickFormatter: (day: string) => text.day(day, 'short'), minTickGap: 32 }}
      yAxisProps={{ tickFormatter: text.short, width: 56, allowDecimals: false }}
      tooltipProps={{ labelFormatter: (day) => (typeof day === 'string' ? text.day(day, 'full') : '') }}
      gridColor="var(--desk-border)"
      textColor="dimmed"
      // Otherwise the last day's label would be cut off at the edge.
      composedChartProps={{ margin: { top: 8, right: 24, bottom: 8, left: 0 } }}
    />
  );
}
