'use client';

import { useState } from 'react';
import type { ListUrl } from './list-url';

/** Keeps the cursor of a list that is not part of the page's URL, such as one in a drawer. */
export function useListPosition(): Pick<ListUrl, 'cursor' | 'goNext' | 'goPrevious' | 'goToFirstPage'> {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return {
    cursor: cursors.at(-1),
    goNext: (cursor) => setCursors([...cursors, cursor]),
    goPrevious: () => setCursors(cursors.slice(0, -1)),
    goToFirstPage: () => setCursors([]),
  };
}
