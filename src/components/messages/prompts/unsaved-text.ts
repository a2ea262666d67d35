import { useSyncExternalStore } from 'react';
import { useBackOffice } from '../../shell/back-office';
import { listFormDrafts, subscribeToFormDrafts } from '../../ui/form/form-draft';

const draftKeyPrefix = (shop: string) => `prompt ${shop} `;

/** Returns the key under which the editor keeps unsaved text. @param base the version in the URL on which the text is based */
export const promptDraftKey = (shop: string, base: number | undefined): string =>
  `${draftKeyPrefix(shop)}${base ?? ''}`;

/**
 * Returns what `base` is in the URL of the editor with unsaved text for this shop, which is empty if that URL has none; null if
 * there is no unsaved text.
 */
export function useUnsavedTextBase(shop: string): string | null {
  const { user } = useBackOffice();
  const prefix = `${user.email}.${draftKeyPrefix(shop)}`;
  const findBase = () =>
    listFormDrafts()
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length))
      // The name of another shop may begin with this one's.
      .find((base) => /^\d*$/.test(base)) ?? null;
  return useSyncExternalStore(subscribeToFormDrafts, findBase, () => null);
}
