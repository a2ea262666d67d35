import { useLocalStorage } from '@mantine/hooks';
import type { Warning } from '../../../server/messages/warning';

/** The prefix of the storage keys of all unsent replies. */
export const UNSENT_REPLIES = 'brickdesk.reply.';

/** A reply that a user has started but not sent. */
export interface UnsentReply {
  /** What the buyer wrote, as pasted. */
  pasted: string;
  /** Identifies this reply, so that one written by hand is recorded only once; null until the first change. */
  key: string | null;
  /** The chosen draft, or `hand` for a reply written without one; null for the newest draft. */
  chosen: string | null;
  /** The edited texts, by draft id or {@link BY_HAND}. */
  texts: Record<string, string>;
  /** The translation of a text by the buyer into the reader's language; `of` is that text. */
  translation: { of: string; text: string } | null;
  /** The texts that were translated for the buyer, with the warnings about their translations, by the same keys. */
  originals: Record<string, { text: string; warnings: readonly Warning[] }>;
}

/** The key of a text written without a draft. */
export const BY_HAND = 'hand';

const EMPTY_REPLY: UnsentReply = {
  pasted: '',
  key: null,
  chosen: null,
  texts: {},
  translation: null,
  originals: {},
};

/** Returns a random key. Works without TLS, unlike `crypto.randomUUID`. */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');

/** A text that is being translated for the buyer. */
interface TextToTranslate {
  /** The key of the reply that contains the text. */
  replyKey: string | null;
  /** The id of its draft, or {@link BY_HAND}. */
  key: string;
  text: string;
}

/**
 * Returns the reply with one of its texts replaced by the translation for the buyer. The original includes edits made while the
 * translation was pending. If the user has chosen another draft since, that draft stays chosen. If the reply has been sent since,
 * `unsent` is the next reply and is returned unchanged.
 */
export function withTranslation(
  unsent: UnsentReply,
  { replyKey, key, text }: TextToTranslate,
  translation: { text: string; warnings: readonly Warning[] },
): UnsentReply {
  if (unsent.key !== replyKey) return unsent;
  const original = { text: unsent.texts[key] ?? text, warnings: translation.warnings };
  return {
    ...unsent,
    chosen: unsent.chosen ?? key,
    texts: { ...unsent.texts, [key]: translation.text },
    originals: { ...unsent.originals, [key]: original },
  };
}

/** Stores the unsent reply to an order in this browser until it is sent or the user signs out, even if the tab is closed. */
export function useUnsentReply(email: string, orderId: string) {
  const [unsent, setUnsent, forget] = useLocalStorage<UnsentReply>({
    key: `${UNSENT_REPLIES}${email}.${orderId}`,
    defaultValue: EMPTY_REPLY,
    getInitialValueInEffect: false,
  });
  /** @param changes the new values, or a function that returns them for the latest reply */
  const change = (changes: Partial<UnsentReply> | ((latest: UnsentReply) => Partial<UnsentReply>)) =>
    setUnsent((previous) => {
      const latest = { ...previous, key: previous.key ?? newKey() };
      return { ...latest, ...(typeof changes === 'function' ? changes(latest) : changes) };
    });
  return { unsent, change, forget };
}
