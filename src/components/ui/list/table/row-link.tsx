'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import styles from './table.module.css';

/** The link from a row to its page. Plain HTML that looks like Mantine's Anchor, which would need several components per row. */
export function RowLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} prefetch={false} className={`mono ${styles.link}`}>
      {children}
    </Link>
  );
}
