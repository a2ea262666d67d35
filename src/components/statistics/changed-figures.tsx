'use client';

import { IconArrowRight } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { useFigureFormatter } from '../ui/chart/figure-formatter';
import { isField, kindOf, useFieldName } from './fields';
import styles from './statistics.module.css';

type Restatement = RouterOutputs['statistics']['restatements']['restatements'][number];

/** The figures that a restatement changed, before and after. */
export function ChangedFigures({ changes }: { changes: Restatement['changes'] }) {
  const t = useTranslations('statistics');
  const figureFormatter = useFigureFormatter();
  const fieldName = useFieldName();
  const valueText = (field: string, value: unknown) => {
    if (value === null || value === undefined) return '–';
    if (isField(field) && (typeof value === 'number' || typeof value === 'string'))
      return figureFormatter.figure(kindOf(field), value);
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return (
    <ul className={styles.changes}>
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          <span className={styles.field}>
            {isField(field) ? fieldName(field) : <span className="mono">{field}</span>}
          </span>
          <span className="figures">{valueText(field, before)}</span>
          <IconArrowRight size={14} aria-label={t('restatements.became')} role="img" />
          <strong className="figures">{valueText(field, after)}</strong>
        </li>
      ))}
    </ul>
  );
}
