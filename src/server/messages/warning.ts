import { z } from 'zod';

/** The kinds of unconfirmed claims in a reply, or problems of the request. */
const WARNING_KINDS = [
  'order_number',
  'tracking_number',
  'date',
  'amount',
  'link',
  'phone_number',
  'buyer_name',
] as const;

export const warningKind = z.enum(WARNING_KINDS);

export type WarningKind = z.output<typeof warningKind>;

/**
 * Something to check before a reply is sent, as it is stored and as pages get it: they say in the reader's language what is
 * wrong. The API has a sentence in its place, {@link warningMessage}.
 */
export const warningSchema = z.object({
  kind: warningKind,
  /** The claim as it is written, or the number or name of the request. */
  value: z.string(),
  /**
   * `no_order`, `other_buyer`: the request names an order that the shop does not have, or a buyer who is not the order's.
   * `unconfirmed`: nothing confirms what the reply states. `lost`: the translation does not state it.
   */
  reason: z.enum(['no_order', 'other_buyer', 'unconfirmed', 'lost']),
});

export type Warning = z.output<typeof warningSchema>;

/** What a claim of each kind is called in a sentence. */
const WORDS: Record<WarningKind, string> = {
  order_number: 'order number',
  tracking_number: 'tracking number',
  date: 'date',
  amount: 'amount',
  link: 'link',
  phone_number: 'phone number',
  buyer_name: 'name',
};

/** The buyer knows these; an amount, a date or a link of theirs confirms nothing. */
const CONVERSATION_CONFIRMS: ReadonlySet<WarningKind> = new Set(['order_number', 'tracking_number']);

/** Returns the API's sentence for a warning. */
export function warningMessage({ kind, reason }: Warning): string {
  switch (reason) {
    case 'no_order':
      return 'The shop has no order with this number, so the reply was written without its facts.';
    case 'other_buyer':
      return "The order's buyer and recipient have other names, so their name and address were withheld from the reply.";
    case 'lost':
      return `The translation does not state this ${WORDS[kind]}. Compare it with the text before you send it.`;
    case 'unconfirmed': {
      const sources = CONVERSATION_CONFIRMS.has(kind)
        ? 'Neither the database nor the prompt nor the conversation confirms'
        : 'Neither the database nor the prompt confirms';
      return `${sources} this ${WORDS[kind]}. Check it before you send the reply.`;
    }
  }
}
