'use client';

import { Button, type ButtonProps } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { focusTitle } from '../../keyboard/focus';
import type { ListUrl } from '../list-url';

/** A button that clears the filters of a list. It then moves the focus to the search or, without one, to the title of the page. */
export function ClearFilters({ url, ...props }: { url: Pick<ListUrl, 'clearFilters'> } & ButtonProps) {
  const t = useTranslations('common');
  const clearFilters = () => {
    url.clearFilters();
    const searchField = document.querySelector<HTMLElement>('main [data-search] input');
    if (searchField) searchField.focus();
    else focusTitle();
  };
  return (
    <Button variant="subtle" {...props} onClick={clearFilters}>
      {t('list.clearAll')}
    </Button>
  );
}
