'use client';

import { Button, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useRef } from 'react';
import styles from './selection-bar.module.css';
import type { LimitedCount } from './views/list-tabs';

/** Lets the user select all matching rows, not only those on the page. */
export interface MatchingRows {
  /** The number of matching rows; undefined until counted. */
  count: LimitedCount | undefined;
  areSelected: boolean;
  onSelect: () => void;
}

/** The bar at the bottom of the window with the number of selected rows and the actions for them. */
export function SelectionBar({
  selectedCount,
  matchingRows,
  onClear,
  children,
}: {
  selectedCount: number;
  /** Offered once the whole page is selected. */
  matchingRows: MatchingRows | undefined;
  onClear: () => void;
  children: ReactNode;
}) {
  const t = useTranslations('common');
  const clearButton = useRef<HTMLButtonElement>(null);
  // Both buttons disappear when they are pressed.
  const selectMatchingRows = () => {
    matchingRows?.onSelect();
    clearButton.current?.focus();
  };
  const clearSelection = () => {
    onClear();
    document.querySelector<HTMLElement>('main thead input')?.focus();
  };
  const matchingCount = matchingRows?.areSelected ? matchingRows.count : undefined;
  return (
    <section className={styles.bar} aria-label={t('list.selection')}>
      <Text className="figures" fw={600} role="status">
        {t(matchingCount?.more ? 'list.selectedMore' : 'list.selected', {
          count: matchingCount?.count ?? selectedCount,
        })}
      </Text>
      {matchingRows?.count &&
        !matchingRows.areSelected &&
        (matchingRows.count.more || matchingRows.count.count > selectedCount) && (
          <Button variant="subtle" size="compact-sm" onClick={selectMatchingRows}>
            {t(matchingRows.count.more ? 'list.selectMatchingMore' : 'list.selectMatching', {
              count: matchingRows.count.count,
            })}
          </Button>
        )}
      <Button ref={clearButton} variant="subtle" size="compact-sm" onClick={clearSelection}>
        {t('list.unselect')}
      </Button>
      <div className={styles.actions}>{children}</div>
    </section>
  );
}
