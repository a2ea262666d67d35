'use client';

import Link from 'next/link';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import styles from './area-links.module.css';
import { useBackOffice } from './back-office';
import { PAGE_NAMES, type PageLink, type PagePart, pageAt, pagesOf } from './navigation';

/** If there are more links than this, phones show a select instead. */
const MAX_ON_PHONES = 5;

/**
 * Links to the pages of an area; nothing if the role may open only one of them.
 * @param keep the filters of the URL to keep in the links
 * @param counts the counts to show beside the names
 */
export function AreaLinks({
  area,
  keep = [],
  counts = {},
}: {
  area: PageLink['id'];
  keep?: readonly string[];
  counts?: Partial<Record<PagePart['id'], number>> | undefined;
}) {
  const t = useTranslations('shell');
  const format = useFormatter();
  const router = useRouter();
  const { prefix, user } = useBackOffice();
  const here = usePathname().slice(prefix.length);
  const parameters = useSearchParams();
  const { parts = [] } = pagesOf(user.role).find(({ id }) => id === area) ?? {};
  if (parts.length < 2) return null;
  const current = pageAt(parts, here);
  const query = new URLSearchParams([...parameters].filter(([name]) => keep.includes(name))).toString();
  const hrefOf = ({ path }: PagePart) => prefix + path + (query === '' ? '' : `?${query}`);
  const isLong = parts.length > MAX_ON_PHONES;
  return (
    <>
      <nav className={styles.links} aria-label={t(PAGE_NAMES[area])} data-long={isLong || undefined}>
        {parts.map((part) => {
          const count = counts[part.id];
          return (
            <Link
              key={part.id}
              href={hrefOf(part)}
              prefetch={false}
              aria-current={part === current ? 'page' : undefined}
            >
              {t(PAGE_NAMES[part.id])}
              {count !== undefined && <span className="figures"> {format.number(count)}</span>}
            </Link>
          );
        })}
      </nav>
      {isLong && (
        <select
          className={styles.choice}
          aria-label={t(PAGE_NAMES[area])}
          value={current?.id}
          onChange={({ currentTarget: { selectedIndex: index } }) => {
            const part = parts[index];
            if (part) router.push(hrefOf(part));
          }}
        >
          {parts.map(({ id }) => (
            <option key={id} value={id}>
              {t(PAGE_NAMES[id])}
            </option>
          ))}
        </select>
      )}
    </>
  );
}
