'use client';

import { Stack } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { useTRPC } from '../api/trpc-context';
import { queueCountsQuery } from '../queues/counts-query';
import { BrandMark } from '../ui/brand/mark';
import { useReaderZone, useZoneName } from '../ui/value/zones';
import { useBackOffice } from './back-office';
import { PAGE_NAMES, type PageLink, pageAt, pagesOf } from './navigation';
import styles from './shell.module.css';

/** Returns the entries that the user may see; none if they must set up a second factor first. */
export function usePages(): PageLink[] {
  const { user } = useBackOffice();
  return user.mustSetUpTwoFactor ? [] : pagesOf(user.role);
}

/** The interval at which the counts are reloaded while a page is open. */
const REFRESH_MS = 60_000;

/** Returns the counts of the navigation: orders to ship, open entries in all queues, and tracking exceptions. */
function useCounts(pages: readonly PageLink[]) {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...queueCountsQuery(trpc),
    enabled: pages.some(({ id }) => id === 'queues'),
    refetchInterval: REFRESH_MS,
  });
  const countOpen = (name: string) => data?.queues.find(({ queue }) => queue === name)?.open ?? 0;
  return { orders: countOpen('to_ship'), queues: data?.total ?? 0, exceptions: countOpen('exception') };
}

/** The count beside a navigation entry; hidden if it is 0. */
function Count({ count, label, urgent }: { count: number; label: string; urgent?: boolean }) {
  const format = useFormatter();
  if (count === 0) return null;
  return (
    <span
      className={`figures ${styles.count}`}
      data-urgent={urgent}
      title={`${format.number(count)} ${label}`}
    >
      {format.number(count)} <span className="visually-hidden">{label}</span>
    </span>
  );
}

/** The navigation on the left, in the order of a day's work. */
export function SideNavigation({ onNavigate, onHelp }: { onNavigate: () => void; onHelp: () => void }) {
  const t = useTranslations('shell');
  const { prefix } = useBackOffice();
  const pages = usePages();
  const counts = useCounts(pages);
  const zone = useZoneName()(useReaderZone());
  const here = usePathname().slice(prefix.length);
  const everyPart = pages.flatMap(({ id, path, parts = [{ id, path }] }) =>
    parts.map((part) => ({ ...part, entry: id })),
  );
  const current = pageAt(everyPart, here)?.entry;
  return (
    <Stack gap={2} mih="100%">
      <Link className={styles.name} href={prefix} prefetch={false} onClick={onNavigate}>
        <BrandMark /> Brickdesk
      </Link>
      {pages.map(({ id, path, icon: PageIcon }) => (
        <Link
          key={id}
          className={styles.link}
          href={prefix + path}
          // Each page checks who is signed in, so prefetching them all would mean nine checks per visit.
          prefetch={false}
          aria-current={id === current ? 'page' : undefined}
          onClick={onNavigate}
        >
          <PageIcon size={16} stroke={1.75} aria-hidden />
          {t(PAGE_NAMES[id])}
          {id === 'orders' && <Count count={counts.orders} label={t('counts.toShip')} />}
          {id === 'queues' && (
            <>
              <Count
                count={counts.exceptions}
                label={t('counts.exceptions', { count: counts.exceptions })}
                urgent
              />
              <Count count={counts.queues} label={t('counts.open')} />
            </>
          )}
        </Link>
      ))}
      {/* The browser may name a time zone differently than the server. */}
      <div className={styles.zone} suppressHydrationWarning>
        {t('zone', { zone })}
      </div>
      <button type="button" className={`${styles.link} ${styles.help}`} onClick={onHelp}>
        <IconHelp size={16} stroke={1.75} aria-hidden />
        {t('shortcuts.open')}
        <kbd className={styles.count}>?</kbd>
      </button>
    </Stack>
  );
}
