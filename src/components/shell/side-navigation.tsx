'use client';

import { Divider, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { mayDo } from '../../server/identity/roles';
import { useTRPC } from '../api/trpc-context';
import { queueCountsQuery } from '../queues/counts-query';
import { useDesk } from './desk';
import { ADMINISTRATION_PAGES, DAILY_PAGES, PAGE_NAMES, type PageLink } from './navigation';
import styles from './shell.module.css';

/** The pages that the user may see; none if they must set up a second factor first. */
export function usePages(): { daily: PageLink[]; administration: PageLink[] } {
  const { person } = useDesk();
  const isOpen = ({ may }: PageLink) => !person.mustSetUpTwoFactor && (!may || mayDo(person.role, may));
  return { daily: DAILY_PAGES.filter(isOpen), administration: ADMINISTRATION_PAGES.filter(isOpen) };
}

/** How often the counts are loaded again while a page is open. */
const REFRESH_MS = 60_000;

/** The counts beside the links, by page. */
function useCounts(pages: readonly PageLink[]): Partial<Record<PageLink['id'], number>> {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...queueCountsQuery(trpc),
    enabled: pages.some(({ id }) => id === 'queues'),
    refetchInterval: REFRESH_MS,
  });
  return data ? { queues: data.orders } : {};
}

function Links({ pages, onNavigate }: { pages: readonly PageLink[]; onNavigate: () => void }) {
  const t = useTranslations('shell');
  const counts = useCounts(pages);
  const format = useFormatter();
  const { prefix } = useDesk();
  const here = usePathname();
  return pages.map(({ id, path, icon: PageIcon }) => {
    const href = prefix + path;
    const active = here === href || (path !== '' && here.startsWith(`${href}/`));
    return (
      <Link
        key={id}
        className={styles.link}
        href={href}
        // Each page checks who is signed in: prefetching all of them would check a dozen times per visit.
        prefetch={false}
        aria-current={active ? 'page' : undefined}
        onClick={onNavigate}
      >
        <PageIcon size={16} stroke={1.75} aria-hidden />
        {t(PAGE_NAMES[id])}
        {counts[id] !== undefined && counts[id] > 0 && (
          <span className={`figures ${styles.count}`}>
            {format.number(counts[id])} <span className="heard">{t('open')}</span>
          </span>
        )}
      </Link>
    );
  });
}

/** The navigation on the left: daily work, and administration below it. */
export function SideNavigation({ onNavigate }: { onNavigate: () => void }) {
  const t = useTranslations('shell');
  const { daily, administration } = usePages();
  return (
    <Stack gap={0}>
      <Links pages={daily} onNavigate={onNavigate} />
      {administration.length > 0 && (
        <>
          <Divider my="sm" />
          <Text size="xs" c="dimmed" px="sm" pb="xs">
            {t('administration')}
          </Text>
          <Links pages={administration} onNavigate={onNavigate} />
        </>
      )}
    </Stack>
  );
}
