'use client';

import { useLocale, useTranslations } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../../i18n/locale';
import { useTooltipProps } from '../../floating/tooltip';
import { dateFormat } from '../formats';
import styles from '../values.module.css';
import { dayIn, NEW_YORK, useReaderZone } from './zones';

const BRIEF_FORMAT = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
const FULL_FORMAT = { dateStyle: 'full', timeStyle: 'full' } as const;

const formatInstant = (instant: Date, tag: string, options: Intl.DateTimeFormatOptions): string =>
  dateFormat(tag, options).format(instant);

/**
 * An instant in short form; in full when hovered or focused. It is shown in the reader's time zone. A sale is shown in the time
 * zone of sale days, which is named if it differs from the reader's.
 */
export function Instant({
  value,
  dateOnly = false,
  brief = false,
  isSale = false,
}: {
  value: string | Date | null;
  dateOnly?: boolean;
  /** Without the year if it is the current one: for narrow columns. */
  brief?: boolean;
  /** Whether this is a sale date. Sale dates are shown in New York time. */
  isSale?: boolean;
}) {
  const tag = LANGUAGE_TAGS[useLocale()];
  const readerZone = useReaderZone();
  const tooltipProps = useTooltipProps();
  if (value === null) return <span>–</span>;
  const instant = new Date(value);
  const zone = isSale ? NEW_YORK : readerZone;
  const isThisYear = dayIn(zone, instant).slice(0, 4) === dayIn(zone, new Date()).slice(0, 4);
  const shortText = formatInstant(instant, tag, {
    ...(brief && isThisYear
      ? BRIEF_FORMAT
      : { dateStyle: 'medium', ...(dateOnly ? {} : { timeStyle: 'short' }) }),
    timeZone: zone,
  });
  return (
    <time
      className={`figures ${styles.instant}`}
      dateTime={instant.toISOString()}
      // At New Year, the server's year may differ from the browser's.
      suppressHydrationWarning={brief}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the full form must be reachable by keyboard
      tabIndex={0}
      {...tooltipProps(() => (
        <FullInstant instant={instant} tag={tag} readerZone={readerZone} isSale={isSale} />
      ))}
    >
      {shortText}
      {zone !== readerZone && <span className={styles.zone}> {shortZoneName(instant, tag, zone)}</span>}
    </time>
  );
}

function shortZoneName(instant: Date, tag: string, timeZone: string): string {
  const parts = dateFormat(tag, { timeZone, timeZoneName: 'short' }).formatToParts(instant);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** An instant in full, with the time zone; a sale also in the reader's time zone. */
function FullInstant(props: { instant: Date; tag: string; readerZone: string; isSale: boolean }) {
  const { instant, tag, readerZone, isSale } = props;
  const t = useTranslations('common');
  const textInReaderZone = formatInstant(instant, tag, { ...FULL_FORMAT, timeZone: readerZone });
  if (!isSale || readerZone === NEW_YORK) return <div>{textInReaderZone}</div>;
  return (
    <>
      <div>
        {t('labelled', {
          label: t('instant.sale'),
          text: formatInstant(instant, tag, { ...FULL_FORMAT, timeZone: NEW_YORK }),
        })}
      </div>
      <div>{t('labelled', { label: t('instant.reader'), text: textInReaderZone })}</div>
    </>
  );
}
