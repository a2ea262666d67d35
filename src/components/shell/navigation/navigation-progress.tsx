'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useSyncExternalStore } from 'react';
import styles from './navigation-progress.module.css';
import { endNavigation, pageAddress, readTarget, subscribeToTarget } from './navigation-target';

/** A line at the top edge while the server prepares the next page. It appears only if that takes more than a moment. */
export function NavigationProgress() {
  const t = useTranslations('shell');
  const shownAddress = pageAddress(usePathname(), useSearchParams());
  const target = useSyncExternalStore(subscribeToTarget, readTarget, () => null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another page is shown
  useEffect(endNavigation, [shownAddress]);
  if (target === null || target === shownAddress) return null;
  return <div className={styles.progress} role="progressbar" aria-label={t('openingPage')} />;
}
