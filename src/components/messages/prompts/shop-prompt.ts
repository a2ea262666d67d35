import type { RouterOutputs } from '../../api/router-types';
import type { ListUrl } from '../../ui/list/list-url';

export type PromptVersion = RouterOutputs['prompts']['versions']['versions'][number];

/** The URL parameters of a prompt's page. */
export type PromptUrl = ListUrl<'shop' | 'view' | 'from' | 'to' | 'base' | 'reply'>;

/** One shop's prompt: its versions (newest first), the live one and the pending draft. */
export interface ShopPrompt {
  shop: string;
  versions: readonly PromptVersion[];
  live: PromptVersion | undefined;
  /** The newest draft; undefined if there is none or the live version is newer. */
  draft: PromptVersion | undefined;
}

/** Finds the live version and the draft among a shop's versions. */
export function readPrompt(shop: string, versions: readonly PromptVersion[]): ShopPrompt {
  const live = versions.find(({ state }) => state === 'published');
  const draft = versions.find(({ state, version }) => state === 'draft' && version > (live?.version ?? 0));
  return { shop, versions, live, draft };
}
