'use client';

import { Skeleton, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import type { RouterOutputs } from '../api/router-types';
import { useFigureText } from '../ui/chart/figure-text';
import { newYorkDay, plusDays } from '../ui/chart/new-york-days';
import type { ListLinks } from './list-links';
import styles from './overview.module.css';

type OverviewFigures = RouterOutputs['overview']['read'];

interface Row {
  key: string;
  label: ReactNode;
  count: number | undefined;
  href: string;
  note?: string | undefined;
}

interface Props {
  attention: OverviewFigures['attention'] | undefined;
  links: ListLinks;
  /** The number of days after which a paid but unshipped order needs attention. */
  days: number;
  onDays: (days: number) => void;
}

/** What needs a person's attention, whenever it was sold. */
export function Attention({ attention, links, days, onDays }: Props) {
  const t = useTranslations('overview');
  const missing = attention?.statistics_missing;
  const rows: Row[] = [
    {
      key: 'exceptions',
      label: t('attention.exceptions'),
      count: attention?.exceptions,
      href: links.orders({ tracking: 'exception' }),
    },
    {
      key: 'failures',
      label: t('attention.failures'),
      count: attention?.delivery_failures,
      href: links.orders({ tracking: 'delivery_failure' }),
    },
    {
      key: 'unshipped',
      label: t.rich('attention.unshipped', { days: () => <DaysInput days={days} onDays={onDays} /> }),
      count: attention?.unshipped,
      href: links.orders({ unshipped: String(days) }),
    },
    {
      key: 'imports',
      label: t('attention.imports'),
      count: attention?.imports_with_warnings,
      href: links.page('/imports', { warnings: 'yes', from: plusDays(newYorkDay(new Date()), -7) }),
    },
    {
      key: 'statistics',
      label: t('attention.statistics'),
      count: missing?.length,
      note: missing?.map(({ name }) => name).join(', '),
      href: links.page('/statistics/missing', { shop: missing?.map(({ shop_id }) => shop_id).join(',') }),
    },
  ];
  return (
    <section aria-labelledby="attention">
      <Title order={2} id="attention">
        {t('attention.title')}
      </Title>
      <ul className={styles.rows}>
        {rows.map(({ key, ...row }) => (
          <AttentionRow key={key} {...row} />
        ))}
      </ul>
    </section>
  );
}

function AttentionRow({ label, count, href, note }: Omit<Row, 'key'>) {
  const t = useTranslations('overview');
  const text = useFigureText();
  return (
    <li className={styles.row} data-quiet={count === 0 || undefined}>
      {count ? (
        <IconAlertTriangle size={16} stroke={1.75} className={styles.alarm} aria-hidden />
      ) : (
        <IconCircleCheck size={16} stroke={1.75} aria-hidden />
      )}
      <span>
        {label}
        {note && <small>{note}</small>}
      </span>
      {count === undefined ? (
        <Skeleton width={32} height={16} radius="sm" />
      ) : (
        <Link href={href} prefetch={false} className="figures">
          {text.of('count', count)} <span className="heard">{t('attention.show')}</span>
        </Link>
      )}
    </li>
  );
}

const PAUSE_MS = 400;

function DaysInput({ days, onDays }: { days: number; onDays: (days: number) => void }) {
  const t = useTranslations('overview');
  const [value, setValue] = useState(String(days));
  useEffect(() => setValue(String(days)), [days]);
  const setLater = useDebouncedCallback((next: string) => {
    if (/^\d{1,3}$/.test(next) && Number(next) <= 365) onDays(Number(next));
  }, PAUSE_MS);
  return (
    <TextInput
      type="number"
      size="xs"
      min={0}
      max={365}
      aria-label={t('attention.days')}
      className={styles.days}
      value={value}
      onChange={({ currentTarget: { value: next } }) => {
        setValue(next);
        setLater(next);
      }}
      onBlur={() => setValue(String(days))}
    />
  );
}
