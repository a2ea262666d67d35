'use client';

import { Button, NativeSelect } from '@mantine/core';
import { useTranslations } from 'next-intl';
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
  const hasPages = url.cursor !== undefined || nextCursor !== null;
  if (!hasPages && rowCount <= PAGE_SIZES[0]) return null;
  return (
    <div className={styles.footer}>
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
          <Button variant="default" disabled={!url.cursor || isStale} onClick={url.goPrevious}>
            {t('list.previous')}
          </Button>
          <Button
            variant="default"
            disabled={nextCursor === null || isStale}
            onClick={() => nextCursor !== null && url.goNext(nextCursor)}
          >
            {t('list.next')}
          </Button>
        </>
      )}
    </div>
  );
}
