'use client';

import { Button, CopyButton, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useLocale, useTranslations } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../i18n/locale';
import { Section } from '../../ui/page/detail-page';
import { weeksOf } from './month-days';
import styles from './shop-calendar.module.css';

interface Props {
  name: string;
  /** The first day with data; null until loaded. */
  firstDay: string | null;
  /** Null until loaded. */
  missingDays: readonly string[] | null;
  months: readonly string[];
  /** The current day in the shop's time zone. */
  today: string;
}

/** The calendar of a shop, with the missing days marked. */
export function ShopCalendar({ name, firstDay, missingDays, months, today }: Props) {
  const t = useTranslations('statistics');
  const count = missingDays?.length ?? 0;
  return (
    <Section
      title={name}
      description={
        missingDays === null ? (
          ' '
        ) : (
          <Text
            span
            size="sm"
            fw={count > 0 ? 600 : 400}
            c={count > 0 ? 'var(--mantine-color-error)' : 'dimmed'}
          >
            {t('missing.count', { count })}
          </Text>
        )
      }
      actions={count > 0 && missingDays && <CopyDays days={missingDays} />}
    >
      <div className={styles.months}>
        {months.map((month) => (
          <Month
            key={month}
            month={month}
            firstDay={firstDay}
            missingDays={new Set(missingDays)}
            today={today}
          />
        ))}
      </div>
    </Section>
  );
}

/** A button that copies the missing days, one per line, for looking up and importing their statistics. */
function CopyDays({ days }: { days: readonly string[] }) {
  const t = useTranslations('statistics');
  return (
    <CopyButton value={days.join('\n')}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={copy}
        >
          {copied ? t('missing.copied') : t('missing.copy')}
        </Button>
      )}
    </CopyButton>
  );
}

function Month({
  month,
  firstDay,
  missingDays,
  today,
}: {
  month: string;
  firstDay: string | null;
  missingDays: ReadonlySet<string>;
  today: string;
}) {
  const t = useTranslations('statistics');
  const locale = useLocale();
  const tag = LANGUAGE_TAGS[locale];
  const formatDay = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
  const firstWeekday = locale === 'zh' ? 1 : 0;
  // One day for each weekday: 2023-01-01 was a Sunday.
  const sampleDays = Array.from({ length: 7 }, (_, index) => `2023-01-0${index + 1 + firstWeekday}`);
  return (
    <table className={styles.month}>
      <caption>{formatDay(`${month}-01`, { year: 'numeric', month: 'long' })}</caption>
      <thead>
        <tr>
          {sampleDays.map((day) => (
            <th key={day} scope="col" abbr={formatDay(day, { weekday: 'long' })}>
              {formatDay(day, { weekday: 'narrow' })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month, firstWeekday).map((week) => (
          <tr key={week.find(Boolean)}>
            {week.map((day, index) => {
              if (day === null) return <td key={sampleDays[index]} />;
              const isMissing = missingDays.has(day);
              const isOutside = firstDay === null || day < firstDay || day >= today;
              return (
                <td
                  key={day}
                  data-state={isMissing ? 'missing' : isOutside ? 'out' : 'stored'}
                  title={
                    isMissing ? t('missing.day', { day: formatDay(day, { dateStyle: 'medium' }) }) : undefined
                  }
                >
                  {Number(day.slice(8))}
                  {isMissing && <span className="visually-hidden"> {t('missing.word')}</span>}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
