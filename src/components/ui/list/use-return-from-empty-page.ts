'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import type { ListUrl } from './list-url';

/**
 * Goes to the first page of a list when a later page has no rows left, for example because all of them were handled: there may be
 * more on the pages before it.
 * @param isEmpty whether the rows are loaded and there are none
 * @param isStale whether the rows are still those of the previous query
 * @returns whether to show placeholders, because the first page is being loaded
 */
export function useReturnFromEmptyPage(
  url: Pick<ListUrl, 'cursor' | 'goToFirstPage'>,
  isEmpty: boolean,
  isStale: boolean,
): boolean {
  const [isReturning, setReturning] = useState(false);
  const isPageEmpty = isEmpty && url.cursor !== undefined;
  // While the first page is loading, the URL has no cursor any more, and the rows are still those of the empty page.
  if (!isStale && isReturning !== isPageEmpty) setReturning(isPageEmpty);
  const goToFirstPage = useEffectEvent(url.goToFirstPage);
  useEffect(() => {
    if (isReturning) goToFirstPage();
  }, [isReturning]);
  return isReturning;
}
