import { useTranslations } from 'next-intl';
import { useCallback } from 'react';
import { messageKeys } from '../../i18n/message-keys';

/** The categories that paths of the API serve, whose names no page can change. */
const LISTED = messageKeys('catalog', {
  head: 'listed.head',
  body: 'listed.body',
  hair: 'listed.hair',
  leg: 'listed.leg',
  brick: 'listed.brick',
});

/** Names a category in the reader's language; those that people have made keep the name they were given. */
export function useCategoryName(): (name: string) => string {
  const t = useTranslations('catalog');
  return useCallback(
    (name) => (Object.hasOwn(LISTED, name) ? t(LISTED[name as keyof typeof LISTED]) : name),
    [t],
  );
}
