import { useTranslations } from 'next-intl';
import { useCallback } from 'react';
import { messageKeys } from '../../i18n/message-keys';

/** The categories that have their own API paths; they can be neither renamed nor deleted. */
const BUILT_IN_CATEGORY_NAMES = messageKeys('catalog', {
  head: 'listed.head',
  body: 'listed.body',
  hair: 'listed.hair',
  leg: 'listed.leg',
  brick: 'listed.brick',
});

/** Returns a function that names a category in the reader's language; categories that users created keep their name. */
export function useCategoryName(): (name: string) => string {
  const t = useTranslations('catalog');
  return useCallback(
    (name) =>
      Object.hasOwn(BUILT_IN_CATEGORY_NAMES, name)
        ? t(BUILT_IN_CATEGORY_NAMES[name as keyof typeof BUILT_IN_CATEGORY_NAMES])
        : name,
    [t],
  );
}
