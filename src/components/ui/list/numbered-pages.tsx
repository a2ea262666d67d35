'use client';

import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';

interface Props {
  /** Counted from 0. */
  page: number;
  /** The number of pages, if known. */
  pages?: number;
  /** Whether another page follows, if their number is not known. */
  hasNext?: boolean;
  onPage: (page: number) => void;
}

/** The buttons to page through a list with numbered pages. Hidden if there is only one page. */
export function NumberedPages({ page, pages, hasNext = page + 1 < (pages ?? 0), onPage }: Props) {
  const t = useTranslations('common');
  if (page === 0 && !hasNext) return null;
  return (
    <Group justify="flex-end" gap="sm" mt="md">
      {pages !== undefined && (
        <Text size="sm" c="dimmed" className="figures">
          {t('list.page', { page: page + 1, pages })}
        </Text>
      )}
      <Button variant="default" disabled={page === 0} onClick={() => onPage(page - 1)}>
        {t('list.previous')}
      </Button>
      <Button variant="default" disabled={!hasNext} onClick={() => onPage(page + 1)}>
        {t('list.next')}
      </Button>
    </Group>
  );
}
