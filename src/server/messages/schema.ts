import { z } from 'zod';
import { withReason } from '../core/errors/validation';
import { requiredText, storableText } from '../core/fields';
import { unstorableReason } from '../core/text/text';
import { BUYER } from './sender';
import { warningKindSchema } from './warning';

/** The maximum length of a message. */
const MAX_CONTENT_LENGTH = 10_000;
/** The maximum number of messages in one request; conversation.ts decides how many of them are sent to the provider. */
const MAX_MESSAGES = 500;
/** The maximum length of a prompt. */
const MAX_PROMPT_LENGTH = 50_000;

/** The name of a shop, or of a prompt that is waiting for one. */
export const shopNameSchema = requiredText(200).meta({
  description: 'Name of the shop, present or former',
  examples: ['My shop'],
});

export const promptTextSchema = storableText(MAX_PROMPT_LENGTH)
  .refine((text) => text.trim() !== '', withReason('text.blank'))
  .meta({ description: 'Text of the prompt', examples: ['You answer for My shop. Be brief and kind.'] });

/** Optional text. Blank means missing. */
const optionalTextSchema = (max: number) =>
  z
    .string()
    .max(max, withReason('text.long', { count: max }))
    .refine((text) => unstorableReason(text) === null, withReason('text.storable'))
    .optional();

const message = z
  .looseObject({
    sender: storableText(100).meta({
      description: '`buyer`, in upper or lower case, marks the buyer; every other sender is the shop',
      examples: ['buyer'],
    }),
    content: storableText(MAX_CONTENT_LENGTH).meta({
      description: 'The text of the message',
      examples: ['Hi, has my parcel been sent?'],
    }),
  })
  .meta({ id: 'BuyerMessage' });

/** A conversation as sent by the back office's pages, oldest first. */
export const conversationSchema = z
  .array(
    z.strictObject({
      sender: z.enum([BUYER, 'shop']),
      content: z
        .string()
        .min(1, withReason('text.empty'))
        .max(MAX_CONTENT_LENGTH, withReason('text.long', { count: MAX_CONTENT_LENGTH }))
        .refine((text) => unstorableReason(text) === null, withReason('text.storableShort')),
    }),
  )
  .max(MAX_MESSAGES);

/** The body of a request for a reply (docs/replies.md). Unknown members are stored with the reply. */
export const messageRequest = z
  .looseObject({
    shop_name: shopNameSchema.meta({
      description:
        "The shop's name, present or former, or the name of a prompt without a shop. A prompt must be published for it",
      examples: ['My shop'],
    }),
    order_number: optionalTextSchema(100).meta({
      description:
        'The receipt_id of the order that the conversation is about. Only an order of this shop is found; its facts are added from the database',
      examples: ['4165098857'],
    }),
    buyer_name: optionalTextSchema(500).meta({
      description:
        "The name of the buyer who wrote the messages. If this is neither the order's buyer nor its recipient, name and address are withheld and a warning says so",
      examples: ['Sable Proxy'],
    }),
    messages: z
      .array(message)
      .max(MAX_MESSAGES, withReason('prompt.messages', { count: MAX_MESSAGES }))
      .optional()
      .meta({
        description:
          "The conversation, oldest message first. Only the newest messages of a long conversation are used. If it is empty, the reply is the shop's first message",
      }),
  })
  .meta({
    id: 'MessageRequest',
    examples: [
      {
        shop_name: 'My shop',
        order_number: '4165098857',
        buyer_name: 'Sable Proxy',
        messages: [{ sender: 'buyer', content: 'Hi, has my parcel been sent?' }],
      },
    ],
  });

export type MessageRequest = z.output<typeof messageRequest>;

const tokenCountSchema = (description: string) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [120] });

export const messageResponse = z
  .object({
    success: z.literal(true),
    data: z.object({
      reply: z
        .string()
        .min(1)
        .meta({
          description: 'The reply, to be read by a person before it is sent',
          examples: ['Hello! Your order was sent on August 22.'],
        }),
      shop_name: z.string().meta({ examples: ['My shop'] }),
      order_number: z
        .string()
        .nullable()
        .meta({ description: 'As in the request', examples: ['4165098857'] }),
      buyer_name: z
        .string()
        .nullable()
        .meta({ description: 'As in the request', examples: ['Sable Proxy'] }),
      model: z.string().meta({ description: 'The model that wrote the reply', examples: ['gpt-5.4-mini'] }),
      usage: z
        .object({
          input_tokens: tokenCountSchema('Tokens of the prompt'),
          output_tokens: tokenCountSchema('Tokens of the reply'),
        })
        .nullable()
        .meta({ description: 'Null if the provider sends none' }),
      warnings: z
        .array(
          z.object({
            kind: warningKindSchema.meta({ description: 'The kind of claim', examples: ['date'] }),
            value: z
              .string()
              .meta({ description: 'The claim as written in the reply', examples: ['August 30, 2026'] }),
            message: z.string().meta({
              description: 'What is wrong with it',
              examples: ['Neither the database nor the prompt confirms this date.'],
            }),
          }),
        )
        .meta({
          description:
            'Order numbers, tracking numbers, dates, amounts, links and phone numbers in the reply that nothing confirms; also an order that the shop does not have, and a buyer who is not the order’s',
        }),
    }),
  })
  .meta({ id: 'MessageResponse' });
