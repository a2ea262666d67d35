import { z } from 'zod';

/** The subjects of warnings: kinds of claims in a reply, or the order number or buyer's name in a request. */
const WARNING_KINDS = [
  'order_number',
  'tracking_number',
  'date',
  'amount',
  'link',
  'phone_number',
  'buyer_name',
] as const;

export const warningKindSchema = z.enum(WARNING_KINDS);

export type WarningKind = z.output<typeof warningKindSchema>;

/**
 * Something to check before a reply is sent. Warnings are stored and passed to pages in this form, and pages turn them into
 * sentences in the reader's language. In the API, the English sentence of {@link warningMessage} takes the place of the reason.
 */
export const warningSchema = z.object({
  kind: warningKindSchema,
  /** The claim as written, or the order number or buyer's name from the request. */
  value: z.string(),
  /**
   * `no_order`, `other_buyer`: the request names an order that the shop does not have, or a buyer who is not the order's.
   * `unconfirmed`: nothing confirms what the reply states. `lost`: the claim is missing from the translation.
   */
  reason: z.enum(['no_order', 'other_buyer', 'unconfirmed', 'lost']),
});

export type Warning = z.output<typeof warningSchema>;

/** What a claim of each kind is called in a sentence. */
const KIND_WORDS: Record<WarningKind, string> = {
  order_number: 'order number',
  tracking_number: 'tracking number',
  date: 'date',
  amount: 'amount',
  link: 'link',
  phone_number: 'phone number',
  buyer_name: 'name',
};

/**
 * The kinds of claims that the conversation can confirm, besides Chinese mobile numbers without separators, which may also be
 * order numbers.
 */
const KINDS_CONFIRMED_BY_CONVERSATION: ReadonlySet<WarningKind> = new Set([
  'order_number',
  'tracking_number',
]);

/** Returns the API's sentence for a warning. */
export function warningMessage({ kind, reason }: Warning): string {
  switch (reason) {
    case 'no_order':
      return 'The shop has no order with this number, so the reply was written without its facts.';
    case 'other_buyer':
      return "The order's buyer and recipient have other names, so their name and address were withheld from the reply.";
    case 'lost':
      return `The translation does not state this ${KIND_WORDS[kind]}. Compare it with the text before you send it.`;
    case 'unconfirmed': {
      const clause = KINDS_CONFIRMED_BY_CONVERSATION.has(kind)
        ? 'Neither the database nor the prompt nor the conversation confirms'
        : 'Neither the database nor the prompt confirms';
      return `${clause} this ${KIND_WORDS[kind]}. Check it before you send the reply.`;
    }
  }
}
