'use client';

import { Button, Group, Skeleton, Table, Title } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import styles from './day-chart.module.css';
import { DayPlot } from './day-plot';
import type { DayFigures, DaySeries } from './day-series';
import { useFigureText } from './figure-text';

const HEIGHT = 208;

/** A gap is not zero. */
function sayIf(say: Props['say'], figure: DayFigures['figures'][string]): string {
  return figure === null || figure === undefined ? '–' : say(figure);
}

interface Props {
  title: string;
  /** Options for what the chart shows. */
  choice?: ReactNode;
  series: readonly DaySeries[];
  /** Undefined until loaded. */
  days: readonly DayFigures[] | undefined;
  /** The day that is not over. */
  today?: string | undefined;
  /** Formats a figure where there is room for all of it. */
  say: (figure: string | number) => string;
}

/** Figures by day, as a chart or, for readers who prefer it, as a table. */
export function DayChart({ title, choice, series, days, today, say }: Props) {
  const t = useTranslations('days');
  const [asTable, setAsTable] = useState(false);
  return (
    <section className={styles.chart} aria-label={title} aria-busy={!days}>
      <Group gap="sm" mih={36} justify="space-between">
        <Title order={3}>{title}</Title>
        <Group gap="sm">
          {choice}
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={
              asTable ? <IconChartBar size={16} aria-hidden /> : <IconTable size={16} aria-hidden />
            }
            onClick={() => setAsTable(!asTable)}
          >
            {t(asTable ? 'chart.asChart' : 'chart.asTable')}
            <span className="heard">{title}</span>
          </Button>
        </Group>
      </Group>
      {series.length > 1 && (
        <ul className={styles.legend}>
          {series.map(({ key, label, type }, index) => (
            <li key={key} data-series={index} data-type={type === 'line' ? undefined : type}>
              {label}
            </li>
          ))}
          {days?.some(({ day }) => day === today) && <li data-today>{t('chart.today')}</li>}
        </ul>
      )}
      <div className={styles.place} style={{ height: HEIGHT }}>
        {!days ? (
          <Skeleton height={HEIGHT} radius="sm" />
        ) : asTable ? (
          <DayTable title={title} series={series} days={days} say={say} />
        ) : (
          // Screen readers get the table; the marks of a drawing mean nothing to them.
          <div aria-hidden className={styles.drawing}>
            <DayPlot series={series} days={days} today={today} say={say} />
          </div>
        )}
      </div>
    </section>
  );
}

function DayTable({
  title,
  series,
  days,
  say,
}: Required<Pick<Props, 'title' | 'series' | 'say'>> & { days: readonly DayFigures[] }) {
  const t = useTranslations('days');
  const text = useFigureText();
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
                {text.day(day, 'full')}
              </Table.Th>
              {series.map(({ key }) => (
                <Table.Td key={key} ta="end">
                  {sayIf(say, figures[key])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
