import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks';
import { useLayoutEffect, useState } from 'react';
import type { Warning } from '../../../server/messages/warning';
import { createIdempotencyKey } from '../../api/idempotency-key';

/** The prefix of the storage keys of all unsent replies. */
export const UNSENT_REPLY_PREFIX = 'brickdesk.reply.';

/** A reply that a user has started but not sent. */
export interface UnsentReply {
  /** What the buyer wrote, as pasted. */
  pasted: string;
  /** Identifies this reply, so that one written by hand is recorded only once; null until the first change. */
  key: string | null;
  /** The chosen draft, or `hand` for a reply written without one; null for the newest draft. */
  chosen: string | null;
  /** The edited texts, by draft id or `HANDWRITTEN_KEY`. */
  texts: Record<string, string>;
  /** The translation of a text by the buyer into the reader's language; `of` is that text. */
  translation: { of: string; text: string } | null;
  /** The texts that were translated for the buyer, with the warnings about their translations, by the keys of `texts`. */
  originals: Record<string, { text: string; warnings: readonly Warning[] }>;
}

const EMPTY_REPLY: UnsentReply = {
  pasted: '',
  key: null,
  chosen: null,
  texts: {},
  translation: null,
  originals: {},
};

/** A text that is being translated for the buyer. */
interface TextToTranslate {
  /** The key of the reply that contains the text. */
  replyKey: string;
  /** The id of its draft, or `HANDWRITTEN_KEY`. */
  textKey: string;
  text: string;
}

/**
 * Returns the reply with one of its texts replaced by the translation for the buyer. The original includes edits made while the
 * translation was pending. If the user has chosen another draft since, that draft stays chosen. If the reply has been sent since,
 * `unsentReply` is the next reply and is returned unchanged.
 */
export function withTranslation(
  unsentReply: UnsentReply,
  { replyKey, textKey, text }: TextToTranslate,
  translation: { text: string; warnings: readonly Warning[] },
): UnsentReply {
  if (unsentReply.key !== replyKey) return unsentReply;
  const original = { text: unsentReply.texts[textKey] ?? text, warnings: translation.warnings };
  return {
    ...unsentReply,
    chosen: unsentReply.chosen ?? textKey,
    texts: { ...unsentReply.texts, [textKey]: translation.text },
    originals: { ...unsentReply.originals, [textKey]: original },
  };
}

/**
 * Returns the warnings about a draft or, if it was translated for the buyer, about its translation. What is wrong with the request
 * for the draft is wrong with its translation too.
 */
export function warningsAbout(
  draftWarnings: readonly Warning[],
  original: UnsentReply['originals'][string] | undefined,
): readonly Warning[] {
  if (!original) return draftWarnings;
  const requestWarnings = draftWarnings.filter(
    ({ reason }) => reason === 'no_order' || reason === 'other_buyer',
  );
  return [...requestWarnings, ...original.warnings];
}

/**
 * Stores the unsent reply to an order in this browser until it is sent or the user signs out, even if the tab is closed. In the
 * first render, which must match the server's, it is empty and `isRestored` is false.
 */
export function useUnsentReply(email: string, orderId: string) {
  const key = `${UNSENT_REPLY_PREFIX}${email}.${orderId}`;
  const [unsentReply, setUnsentReply, clearReply] = useLocalStorage<UnsentReply>({
    key,
    defaultValue: EMPTY_REPLY,
  });
  const [isRestored, setIsRestored] = useState(false);
  // Mantine would restore it later: after the page was painted without it, and after a click that made React hydrate the reply.
  useLayoutEffect(() => {
    setUnsentReply(readLocalStorageValue({ key, defaultValue: EMPTY_REPLY }));
    setIsRestored(true);
  }, [key, setUnsentReply]);
  /** @param changes the new values, or a function that returns them for the latest reply */
  const changeReply = (
    changes: Partial<UnsentReply> | ((latestReply: UnsentReply) => Partial<UnsentReply>),
  ) =>
    setUnsentReply((previous) => {
      const latestReply = { ...previous, key: previous.key ?? createIdempotencyKey() };
      return { ...latestReply, ...(typeof changes === 'function' ? changes(latestReply) : changes) };
    });
  return { unsentReply, isRestored, changeReply, clearReply };
}
