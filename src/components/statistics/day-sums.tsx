'use client';

import { useTranslations } from 'next-intl';
import type { ComponentProps } from 'react';
import { useFigureText } from '../ui/chart/figure-text';
import { Figures } from '../ui/chart/figures';
import { FieldChart } from './field-chart';
import { kindOf, type ListingField, type ShopField, useFieldName } from './fields';
import styles from './statistics.module.css';

/** The sums of a range of days, and one field of them day by day. */
export function DaySums<F extends ShopField | ListingField>({
  totals,
  total,
  ...chart
}: ComponentProps<typeof FieldChart<F>> & {
  /** The fields whose sums are shown. */
  totals: readonly F[];
  /** Undefined until they are there. */
  total: Record<F, number | null> | undefined;
}) {
  const t = useTranslations('statistics');
  const text = useFigureText();
  const nameOfField = useFieldName();
  return (
    <div className={styles.sums}>
      <Figures
        label={t('sums')}
        figures={totals.map((name) => ({
          label: nameOfField(name),
          value: total && text.of(kindOf(name), total[name]),
        }))}
      />
      <FieldChart {...chart} />
    </div>
  );
}
