'use client';

import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { mayDo } from '../../server/identity/roles';
import styles from './area-links.module.css';
import { useDesk } from './desk';
import { DAILY_PAGES, PAGE_NAMES, type PageLink } from './navigation';

/**
 * The pages of an area that has several, above each of them.
 *
 * @param keep filters of the address that the other pages share
 * @param counts shown beside the names
 */
export function AreaLinks({
  area,
  keep = [],
  counts = {},
}: {
  area: PageLink['id'];
  keep?: readonly string[];
  counts?: Partial<Record<PageLink['id'], number>> | undefined;
}) {
  const t = useTranslations('shell');
  const format = useFormatter();
  const { prefix, person } = useDesk();
  const here = usePathname();
  const parameters = useSearchParams();
  const { parts = [] } = DAILY_PAGES.find(({ id }) => id === area) ?? {};
  const within = ({ path }: { path: string }) =>
    here === prefix + path || here.startsWith(`${prefix}${path}/`);
  // A nested page belongs to its nearest ancestor: the longest matching path.
  const current = parts.filter(within).sort((a, b) => b.path.length - a.path.length)[0];
  const open = parts.filter(({ may }) => !may || mayDo(person.role, may));
  const kept = new URLSearchParams([...parameters].filter(([name]) => keep.includes(name))).toString();
  return (
    <nav className={styles.links} aria-label={t(PAGE_NAMES[area])}>
      {open.map(({ id, path }) => (
        <Link
          key={id}
          href={prefix + path + (kept === '' ? '' : `?${kept}`)}
          aria-current={id === current?.id ? 'page' : undefined}
        >
          {t(PAGE_NAMES[id])}
          {counts[id] !== undefined && <span className="figures"> {format.number(counts[id])}</span>}
        </Link>
      ))}
    </nav>
  );
}
