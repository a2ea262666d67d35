'use client';

import { Stack } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { useTRPC } from '../../api/trpc-context';
import { queueCountsQuery } from '../../queues/counts-query';
import { BrandMark } from '../../ui/brand/mark';
import { useReaderZone, useZoneName } from '../../ui/value/time/zones';
import { useBackOffice } from '../back-office';
import styles from '../shell.module.css';
import { entriesFor, type NavigationEntry, PAGE_NAMES, pageAt } from './navigation';

/** Returns the entries that the user may see; none if they must set up a second factor first. */
export function useNavigationEntries(): NavigationEntry[] {
  const { user } = useBackOffice();
  return user.mustSetUpTwoFactor ? [] : entriesFor(user.role);
}

/** The interval at which the counts are reloaded while the page is in the foreground. */
const REFRESH_MS = 60_000;

/** Returns the counts in the navigation: orders to ship, open work in all queues (an order counts once), and tracking exceptions. */
function useCounts(entries: readonly NavigationEntry[]) {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...queueCountsQuery(trpc),
    enabled: entries.some(({ id }) => id === 'queues'),
    refetchInterval: REFRESH_MS,
  });
  const countOpenEntries = (queueName: string) =>
    data?.queues.find(({ queue }) => queue === queueName)?.open ?? 0;
  return {
    toShipCount: countOpenEntries('to_ship'),
    openWorkCount: data?.total ?? 0,
    exceptionCount: countOpenEntries('exception'),
  };
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
  const entries = useNavigationEntries();
  const { toShipCount, openWorkCount, exceptionCount } = useCounts(entries);
  const zoneName = useZoneName()(useReaderZone());
  const currentPath = usePathname().slice(prefix.length);
  const allPages = entries.flatMap(({ id, path, pages = [{ id, path }] }) =>
    pages.map((page) => ({ ...page, entryId: id })),
  );
  const currentEntryId = pageAt(allPages, currentPath)?.entryId;
  return (
    <Stack gap={2} mih="100%">
      <Link className={styles.name} href={prefix} prefetch={false} onClick={onNavigate}>
        <BrandMark /> Brickdesk
      </Link>
      {entries.map(({ id, path, icon: PageIcon }) => (
        <Link
          key={id}
          className={styles.link}
          href={prefix + path}
          // Each page checks who is signed in, so prefetching them all would mean up to nine checks per visit.
          prefetch={false}
          aria-current={id === currentEntryId ? 'page' : undefined}
          onClick={onNavigate}
        >
          <PageIcon size={16} stroke={1.75} aria-hidden />
          {t(PAGE_NAMES[id])}
          {id === 'orders' && <Count count={toShipCount} label={t('counts.toShip')} />}
          {id === 'queues' && (
            <>
              <Count
                count={exceptionCount}
                label={t('counts.exceptions', { count: exceptionCount })}
                urgent
              />
              <Count count={openWorkCount} label={t('counts.open')} />
            </>
          )}
        </Link>
      ))}
      {/* The browser and the server may name a time zone differently. */}
      <div className={styles.zone} suppressHydrationWarning>
        {t('zone', { zone: zoneName })}
      </div>
      <button type="button" className={`${styles.link} ${styles.help}`} onClick={onHelp}>
        <IconHelp size={16} stroke={1.75} aria-hidden />
        {t('shortcuts.open')}
        <kbd className={styles.count}>?</kbd>
      </button>
    </Stack>
  );
}
