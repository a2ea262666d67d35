import { Anchor } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import Link from 'next/link';
import styles from './back-link.module.css';

/** The link above a title to the parent page, such as the list that contains the record. */
export function BackLink({ href, label }: { href: string; label: string }) {
  return (
    <Anchor component={Link} href={href} size="sm" className={styles.link}>
      <IconArrowLeft size={14} aria-hidden />
      {label}
    </Anchor>
  );
}
