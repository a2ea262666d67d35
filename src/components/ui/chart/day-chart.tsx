'use client';

import { Button, Group, Skeleton, Title } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { onDemand } from '../../api/on-demand';
import styles from './day-chart.module.css';
import { DayPlot } from './day-plot';
import type { DayFigures, DaySeries } from './day-series';

const HEIGHT = 208;

const DayTable = onDemand(() => import('./day-table').then((module) => module.DayTable));

interface Props {
  title: string;
  /** The level of its heading on the page. */
  headingLevel: 2 | 3;
  /** The controls for choosing what the chart shows. */
  controls?: ReactNode;
  series: readonly DaySeries[];
  /** Undefined until loaded. */
  days: readonly DayFigures[] | undefined;
  /** The day that is not over yet. */
  today?: string | undefined;
  /** Formats a figure in full. */
  formatFigure: (figure: string | number) => string;
}

/** Figures by day, as a chart or as a table. */
export function DayChart({ title, headingLevel, controls, series, days, today, formatFigure }: Props) {
  const t = useTranslations('days');
  const [isTableShown, setIsTableShown] = useState(false);
  const hasUnfinishedBar =
    series.some(({ type }) => type === 'bar') && days?.some(({ day }) => day === today) === true;
  return (
    <section className={styles.chart} aria-label={title} aria-busy={!days}>
      <Group gap="sm" mih={36} justify="space-between">
        <Title order={headingLevel} size="h3">
          {title}
        </Title>
        <Group gap="sm">
          {controls}
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={
              isTableShown ? <IconChartBar size={16} aria-hidden /> : <IconTable size={16} aria-hidden />
            }
            onClick={() => setIsTableShown(!isTableShown)}
          >
            {t(isTableShown ? 'chart.asChart' : 'chart.asTable')}
            <span className="visually-hidden">{title}</span>
          </Button>
        </Group>
      </Group>
      {(series.length > 1 || hasUnfinishedBar) && (
        <ul className={styles.legend}>
          {series.map(({ key, label, type }, index) => (
            <li key={key} data-series={index} data-type={type === 'line' ? undefined : type}>
              {label}
            </li>
          ))}
          {hasUnfinishedBar && <li data-today>{t('chart.today')}</li>}
        </ul>
      )}
      <div className={styles.frame} style={{ height: HEIGHT }}>
        {!days ? (
          <Skeleton height={HEIGHT} radius="sm" />
        ) : isTableShown ? (
          <DayTable title={title} series={series} days={days} formatFigure={formatFigure} />
        ) : (
          // Hidden from screen readers, which have the table instead.
          <div aria-hidden className={styles.drawing}>
            <DayPlot series={series} days={days} today={today} formatFigure={formatFigure} />
          </div>
        )}
      </div>
    </section>
  );
}
