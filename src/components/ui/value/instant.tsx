'use client';

import { Tooltip } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../i18n/locale';
import { newYorkDay } from '../chart/new-york-days';
import styles from './values.module.css';

/** The time zone of the shops' days. */
const NEW_YORK = 'America/New_York';

const BRIEF = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;

function format(instant: Date, tag: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(tag, options).format(instant);
}

/** An instant: short in New York time; in full, there and in the reader's zone, when hovered or focused. */
export function Instant({
  value,
  dateOnly = false,
  brief = false,
}: {
  value: string | Date | null;
  dateOnly?: boolean;
  /** Without the year if it is the current one: for narrow columns. */
  brief?: boolean;
}) {
  const t = useTranslations('common');
  const tag = LANGUAGE_TAGS[useLocale()];
  if (value === null) return <span>–</span>;
  const instant = new Date(value);
  const thisYear = newYorkDay(instant).slice(0, 4) === newYorkDay(new Date()).slice(0, 4);
  const short = format(instant, tag, {
    ...(brief && thisYear ? BRIEF : { dateStyle: 'medium', ...(dateOnly ? {} : { timeStyle: 'short' }) }),
    timeZone: NEW_YORK,
  });
  return (
    <Tooltip
      multiline
      label={<Whole instant={instant} tag={tag} newYork={t('instant.newYork')} local={t('instant.local')} />}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the whole instant must be reachable by keyboard */}
      <time className={`figures ${styles.instant}`} dateTime={instant.toISOString()} tabIndex={0}>
        {short}
      </time>
    </Tooltip>
  );
}

function Whole({
  instant,
  tag,
  newYork,
  local,
}: {
  instant: Date;
  tag: string;
  newYork: string;
  local: string;
}) {
  const options: Intl.DateTimeFormatOptions = { dateStyle: 'full', timeStyle: 'long' };
  return (
    <>
      <div>
        {newYork}: {format(instant, tag, { ...options, timeZone: NEW_YORK })}
      </div>
      <div>
        {local}: {format(instant, tag, options)}
      </div>
    </>
  );
}
