'use client';

import { usePathname } from 'next/navigation';
import { BrandMark } from '../ui/brand/mark';
import { GUIDES } from './guide-list';

const PAGES = [
  { href: '/docs/api', title: 'Overview' },
  ...GUIDES.map(({ slug, title }) => ({ href: `/docs/api/guides/${slug}`, title })),
  { href: '/docs/api/reference', title: 'API reference' },
  { href: '/docs/api/changelog', title: 'Change log' },
];

/** The navigation of the documentation: a column on the left, or a list at the top of narrow screens. */
export function DocsNav() {
  const path = usePathname();
  return (
    <nav className="docs-nav" aria-label="Documentation">
      <a className="docs-home" href="/">
        <BrandMark /> Brickdesk
      </a>
      <ul>
        {PAGES.map(({ href, title }) => (
          <li key={href}>
            <a href={href} aria-current={path === href ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
