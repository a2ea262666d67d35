'use client';

import { Button, NativeSelect } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useLayoutEffect, useRef, useState } from 'react';
import { PAGE_SIZES } from '../../../server/core/lists/page-size';
import styles from './list-footer.module.css';
import type { ListUrl } from './list-url';
import { useListPreferences } from './table/list-preferences-context';

interface Props {
  url: Pick<ListUrl, 'cursor' | 'goNext' | 'goPrevious' | 'goToFirstPage'>;
  /** How many rows this page has. */
  rowCount: number;
  /** The cursor of the next page; null on the last page. */
  nextCursor: string | null;
  isStale: boolean;
}

/** The buttons to page through a list, and the number of rows per page. Hidden if all rows fit on a page of the smallest size. */
export function ListFooter({ url, rowCount, nextCursor, isStale }: Props) {
  const t = useTranslations('common');
  const { rowsPerPage, setRowsPerPage } = useListPreferences();
  const { cursor } = url;
  const [shownPage, setShownPage] = useState<{ cursor: string | undefined; rowCount?: number }>({ cursor });
  if (!isStale && shownPage.cursor !== cursor) setShownPage({ cursor, rowCount });
  const footer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // A button that is disabled on the first or the last page would lose the focus.
    const disabledButton = footer.current?.querySelector(':disabled');
    if (disabledButton && disabledButton === document.activeElement)
      footer.current?.querySelector<HTMLElement>('button:enabled')?.focus({ preventScroll: true });
  });
  // While a page is loading, the buttons stay as they are, and keep the focus.
  const isFirstPage = (isStale ? (shownPage.cursor ?? cursor) : cursor) === undefined;
  // While the first page is loading, the controls stay, and so does the focus.
  const hasPages = Boolean(cursor ?? shownPage.cursor ?? nextCursor);
  if (!hasPages && rowCount <= PAGE_SIZES[0]) return null;
  return (
    <div ref={footer} className={styles.footer}>
      <div className={styles.size}>
        <span aria-hidden>{t('list.rows')}</span>
        <NativeSelect
          aria-label={t('list.rows')}
          value={rowsPerPage}
          data={PAGE_SIZES.map(String)}
          onChange={({ currentTarget: { value } }) => {
            setRowsPerPage(Number(value));
            url.goToFirstPage();
          }}
        />
      </div>
      {hasPages && (
        <>
          <Button
            variant="default"
            disabled={isFirstPage}
            aria-disabled={isStale}
            onClick={() => !isStale && url.goPrevious()}
          >
            {t('list.previous')}
          </Button>
          <Button
            variant="default"
            disabled={nextCursor === null}
            aria-disabled={isStale}
            onClick={() => !isStale && nextCursor !== null && url.goNext(nextCursor)}
          >
            {t('list.next')}
          </Button>
        </>
      )}
      <span role="status" className="visually-hidden">
        {shownPage.cursor === cursor && shownPage.rowCount !== undefined && (
          // A new element for each page, so that it is announced even if it has as many rows as the one before.
          <span key={cursor}>{t('list.shown', { count: shownPage.rowCount })}</span>
        )}
      </span>
    </div>
  );
}
