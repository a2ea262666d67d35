import { useLocalStorage } from '@mantine/hooks';
import type { Warning } from '../../../server/messages/warning';

/** What the keys of all begun replies begin with. */
export const KEPT_REPLIES = 'brickdesk.reply.';

/** A reply that a user has begun and not sent. */
export interface KeptReply {
  /** What the buyer wrote, as pasted. */
  pasted: string;
  /** Names a reply written by hand, which is recorded once; null before anything is typed. */
  key: string | null;
  /** The chosen draft, or `hand` for a reply without one; null for the newest. */
  chosen: string | null;
  /** The edited texts, by draft. */
  texts: Record<string, string>;
  /** What the buyer wrote, in the reader's language. */
  translation: { of: string; text: string } | null;
  /** The texts that were translated for the buyer and what to check in their translations, by draft. */
  originals: Record<string, { text: string; warnings: readonly Warning[] }>;
}

/** The key of the text that is written without a draft. */
export const BY_HAND = 'hand';

const EMPTY: KeptReply = { pasted: '', key: null, chosen: null, texts: {}, translation: null, originals: {} };

/** Also works without TLS, unlike `crypto.randomUUID`. */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');

/** Keeps what a user typed for an order in this browser until it is sent: it outlives the page and the tab. */
export function useKeptReply(email: string, orderId: string) {
  const [kept, setKept, forget] = useLocalStorage<KeptReply>({
    key: `${KEPT_REPLIES}${email}.${orderId}`,
    defaultValue: EMPTY,
    getInitialValueInEffect: false,
  });
  const change = (part: Partial<KeptReply>) =>
    setKept((last) => ({ ...last, key: last.key ?? newKey(), ...part }));
  return { kept, change, forget };
}
