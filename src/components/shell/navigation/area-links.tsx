'use client';

import Link from 'next/link';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { useBackOffice } from '../back-office';
import styles from './area-links.module.css';
import { entriesFor, type NavigationEntry, type NavigationPage, PAGE_NAMES, pageAt } from './navigation';

/** If there are more links than this, phones show a select instead. */
const MAX_LINKS_ON_PHONES = 5;

/**
 * Links to the pages of an area; nothing if the role may open fewer than two of them.
 * @param keptFilters the filters of the URL to keep in the links
 * @param counts the counts to show beside the names
 */
export function AreaLinks({
  area,
  keptFilters = [],
  counts = {},
}: {
  area: NavigationEntry['id'];
  keptFilters?: readonly string[];
  counts?: Partial<Record<NavigationPage['id'], number>> | undefined;
}) {
  const t = useTranslations('shell');
  const format = useFormatter();
  const router = useRouter();
  const { prefix, user } = useBackOffice();
  const currentPath = usePathname().slice(prefix.length);
  const parameters = useSearchParams();
  const { pages = [] } = entriesFor(user.role).find(({ id }) => id === area) ?? {};
  if (pages.length < 2) return null;
  const currentPage = pageAt(pages, currentPath);
  const query = new URLSearchParams(
    [...parameters].filter(([name]) => keptFilters.includes(name)),
  ).toString();
  const hrefOf = ({ path }: NavigationPage) => prefix + path + (query === '' ? '' : `?${query}`);
  const isLong = pages.length > MAX_LINKS_ON_PHONES;
  return (
    <>
      <nav className={styles.links} aria-label={t(PAGE_NAMES[area])} data-long={isLong || undefined}>
        {pages.map((page) => {
          const count = counts[page.id];
          return (
            <Link
              key={page.id}
              href={hrefOf(page)}
              prefetch={false}
              aria-current={page === currentPage ? 'page' : undefined}
            >
              {t(PAGE_NAMES[page.id])}
              {count !== undefined && <span className="figures"> {format.number(count)}</span>}
            </Link>
          );
        })}
      </nav>
      {isLong && (
        <select
          className={styles.choice}
          aria-label={t(PAGE_NAMES[area])}
          value={currentPage?.id}
          onChange={({ currentTarget: { selectedIndex: index } }) => {
            const page = pages[index];
            if (page) router.push(hrefOf(page));
          }}
        >
          {pages.map(({ id }) => (
            <option key={id} value={id}>
              {t(PAGE_NAMES[id])}
            </option>
          ))}
        </select>
      )}
    </>
  );
}
