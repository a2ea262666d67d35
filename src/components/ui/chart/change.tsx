'use client';

import { useLocale, useTranslations } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../i18n/locale';
import { directionOf } from './change-direction';
import styles from './figures.module.css';

interface Props {
  /** The relative change: 0.1 is ten per cent more. Null if there is nothing to compare with. */
  change: number | null;
  /** Which direction is good; omit it if neither is. */
  betterDirection?: 'up' | 'down';
}

/** The change of a figure since the previous period, with an arrow, or a word for screen readers. */
export function Change({ change, betterDirection }: Props) {
  const t = useTranslations('days');
  const tag = LANGUAGE_TAGS[useLocale()];
  if (change === null)
    return (
      <span className={styles.change} data-none>
        <span aria-hidden>–</span>
        <span className="visually-hidden">{t('change.none')}</span>
      </span>
    );
  const percentText = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 }).format(
    Math.abs(change),
  );
  const direction = directionOf(change);
  const tone =
    betterDirection && direction !== 'same' ? (direction === betterDirection ? 'good' : 'bad') : undefined;
  return (
    <span className={styles.change} data-tone={tone}>
      {direction !== 'same' && <span aria-hidden>{direction === 'up' ? '▲ ' : '▼ '}</span>}
      <span className="visually-hidden">
        {t(direction === 'up' ? 'change.up' : direction === 'down' ? 'change.down' : 'change.same')}{' '}
      </span>
      {percentText}
    </span>
  );
}
