'use client';

import { Table } from '@mantine/core';
import { useTranslations } from 'next-intl';
import styles from './day-chart.module.css';
import type { DayFigures, DaySeries } from './day-series';
import { useFigureFormatter } from './figure-formatter';

interface Props {
  title: string;
  series: readonly DaySeries[];
  days: readonly DayFigures[];
  /** Formats a figure in full. */
  formatFigure: (figure: string | number) => string;
}

/** Returns the text of a figure; a missing figure is a dash, not zero. */
function figureOrDash(formatFigure: Props['formatFigure'], figure: DayFigures['figures'][string]): string {
  return figure === null || figure === undefined ? '–' : formatFigure(figure);
}

/** The figures of a chart as a table, the latest day first. */
export function DayTable({ title, series, days, formatFigure }: Props) {
  const t = useTranslations('days');
  const figureFormatter = useFigureFormatter();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={title}>
      <Table stickyHeader verticalSpacing={4} horizontalSpacing="sm" className="figures">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('day')}</Table.Th>
            {series.map(({ key, label }) => (
              <Table.Th key={key} ta="end">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...days].reverse().map(({ day, figures }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row" fw={400}>
                {figureFormatter.day(day, 'full')}
              </Table.Th>
              {series.map(({ key }) => (
                <Table.Td key={key} ta="end">
                  {figureOrDash(formatFigure, figures[key])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
