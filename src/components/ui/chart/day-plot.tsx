'use client';

import { type PointerEvent, useState } from 'react';
import styles from './day-plot.module.css';
import type { DayFigures, DaySeries } from './day-series';
import { useFigureFormatter } from './figure-formatter';
import { axisTicks, daysPerLabel, linePath } from './scale';

/** The dashes of the lines, so that they differ by more than their colour. */
const DASHES = [undefined, '6 4', '2 3', '10 4', '4 2', '8 2 2 2'];

interface Props {
  series: readonly DaySeries[];
  days: readonly DayFigures[];
  /** The day that is not over yet; its bar is hatched. */
  today?: string | undefined;
  formatFigure: (figure: string | number) => string;
}

const numberOf = (figure: string | number | null | undefined) =>
  figure === null || figure === undefined ? null : Number(figure);

/** Bars and lines by day, stretched to the available width. Also rendered on the server. Hovering shows the figures of a day. */
export function DayPlot({ series, days, today, formatFigure }: Props) {
  const figureFormatter = useFigureFormatter();
  const [shownIndex, setShownIndex] = useState<number | null>(null);
  const valuesBySeries = series.map(({ key }) => days.map(({ figures }) => numberOf(figures[key])));
  const ticks = axisTicks(valuesBySeries.flat().filter((value) => value !== null));
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  /** Returns the position of a value as a percentage from the top. */
  const topOf = (value: number) => (100 * (high - value)) / (high - low);
  const labelInterval = daysPerLabel(days.length);
  const dayWidth = 100 / days.length;
  const shownDay = shownIndex === null ? undefined : days[shownIndex];

  const showDayAt = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width: areaWidth } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / areaWidth) * days.length);
    setShownIndex(Math.min(Math.max(index, 0), days.length - 1));
  };
  return (
    <div className={`figures ${styles.plot}`}>
      <div
        className={styles.area}
        onPointerMove={showDayAt}
        onPointerDown={showDayAt}
        onPointerLeave={() => setShownIndex(null)}
      >
        {ticks.map((tick) => (
          <span key={tick} className={styles.grid} style={{ top: `${topOf(tick)}%` }}>
            <span>{figureFormatter.axisLabel(tick)}</span>
          </span>
        ))}
        {shownIndex !== null && (
          <span
            className={styles.cursor}
            style={{ left: `${shownIndex * dayWidth}%`, width: `${dayWidth}%` }}
          />
        )}
        {series.map(({ key, type }, index) =>
          type !== 'bar'
            ? null
            : valuesBySeries[index]!.map((value, dayIndex) =>
                value === null || value === 0 ? null : (
                  <span
                    key={`${key} ${days[dayIndex]!.day}`}
                    className={styles.bar}
                    data-today={days[dayIndex]!.day === today || undefined}
                    style={{
                      left: `${(dayIndex + 0.16) * dayWidth}%`,
                      width: `${0.68 * dayWidth}%`,
                      top: `${topOf(Math.max(value, 0))}%`,
                      bottom: `${100 - topOf(Math.min(value, 0))}%`,
                    }}
                  />
                ),
              ),
        )}
        <svg viewBox={`0 0 ${days.length} 100`} preserveAspectRatio="none" aria-hidden>
          {series.map(({ key, type }, index) =>
            type === 'bar' ? null : (
              <path
                key={key}
                d={linePath(valuesBySeries[index]!, topOf)}
                data-before={type === 'before' || undefined}
                style={type === 'line' ? { stroke: `var(--chart-series-${index})` } : undefined}
                strokeDasharray={type === 'line' ? DASHES[index] : undefined}
              />
            ),
          )}
        </svg>
        {shownDay && (
          <div
            className={styles.tooltip}
            style={
              shownIndex! < days.length / 2
                ? { left: `${(shownIndex! + 1) * dayWidth}%` }
                : { right: `${(days.length - shownIndex!) * dayWidth}%` }
            }
          >
            <strong>{figureFormatter.day(shownDay.day, 'full')}</strong>
            {series.map(({ key, label }) => {
              const figure = shownDay.figures[key];
              return (
                <span key={key}>
                  {label} <b>{figure === null || figure === undefined ? '–' : formatFigure(figure)}</b>
                </span>
              );
            })}
          </div>
        )}
      </div>
      {days.map(({ day: date }, index) =>
        index % labelInterval === 0 ? (
          <span
            key={date}
            className={styles.day}
            style={{ '--chart-at': (index + 0.5) / days.length } as Record<string, number>}
          >
            {figureFormatter.day(date, 'short')}
          </span>
        ) : null,
      )}
    </div>
  );
}
