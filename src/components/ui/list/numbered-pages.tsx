'use client';

import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';

interface Props {
  /** Counted from 0. */
  page: number;
  /** The number of pages, if known. */
  pageCount?: number;
  /** Whether another page follows, if the number of pages is not known. */
  hasNext?: boolean;
  onPageChange: (page: number) => void;
}

/** The buttons to page through a list with numbered pages. Hidden if there is only one page. */
export function NumberedPages({
  page,
  pageCount,
  hasNext = page + 1 < (pageCount ?? 0),
  onPageChange,
}: Props) {
  const t = useTranslations('common');
  if (page === 0 && !hasNext) return null;
  return (
    <Group justify="flex-end" gap="sm" mt="md">
      {pageCount !== undefined && (
        <Text size="sm" c="dimmed" className="figures">
          {t('list.page', { page: page + 1, pages: pageCount })}
        </Text>
      )}
      <Button variant="default" disabled={page === 0} onClick={() => onPageChange(page - 1)}>
        {t('list.previous')}
      </Button>
      <Button variant="default" disabled={!hasNext} onClick={() => onPageChange(page + 1)}>
        {t('list.next')}
      </Button>
    </Group>
  );
}
