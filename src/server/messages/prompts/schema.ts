import { z } from 'zod';
import { instantSchema } from '../../core/fields';
import { reasonSchema } from '../../core/reason-schema';
import { otherwise } from '../../core/validation';
import { BUYER, messageRequest, messageResponse, promptTextSchema, shopNameSchema } from '../schema';

const state = z.enum(['draft', 'published', 'retired']);

const promptVersion = z.object({
  id: z.int(),
  version: z.int(),
  state,
  text: z.string(),
  created_at: instantSchema,
  published_at: instantSchema.nullable(),
  /** E-mail address of who wrote it; null for the command line and the demo. */
  created_by: z.string().nullable(),
});

const promptHead = promptVersion.omit({ text: true });

export const promptListOutput = z.object({
  prompts: z.array(
    z.object({
      shop_name: z.string(),
      /** The shop that it belongs to; null where it waits for one of that name. */
      shop_id: z.int().nullable(),
      versions: z.int(),
      published: promptHead.nullable(),
      /** The newest draft that is younger than what is published. */
      draft: promptHead.nullable(),
    }),
  ),
  /** Shops that are stored and have no prompt. */
  without: z.array(z.string()),
});

export const promptShopInput = z.strictObject({ shop_name: shopNameSchema });

/** The newest 500 versions, with their texts, the newest first. */
export const promptVersionsOutput = z.object({
  /** The shop's present name, also where it was asked for by a former one. */
  shop_name: z.string(),
  versions: z.array(promptVersion),
});

export const setPromptInput = z.strictObject({
  shop_name: shopNameSchema,
  text: promptTextSchema,
  /** True saves it without publishing it. */
  draft: z.boolean().default(false),
});

export const versionInput = z.strictObject({ id: z.int().min(1).max(2_147_483_647) });

export const versionOutput = promptVersion;

const { order_number: orderNumber, buyer_name: buyerName } = messageRequest.shape;

export const tryInput = z.strictObject({
  shop_name: shopNameSchema,
  order_number: orderNumber,
  buyer_name: buyerName,
  /** Oldest first; `buyer` marks the buyer. Without any, the reply is the shop's first message. */
  messages: z
    .array(
      z.strictObject({
        sender: z.enum([BUYER, 'shop']),
        content: z
          .string()
          .min(1, otherwise('text.empty'))
          .max(10_000, otherwise('text.long', { count: 10000 }))
          .refine((text) => !text.includes('\u0000') && text.isWellFormed(), otherwise('text.storableShort')),
      }),
    )
    .max(500)
    .optional(),
});

const { reply, model, usage, warnings } = messageResponse.shape.data.shape;

/** What one prompt wrote; where it wrote nothing, `error` says why. */
const trial = z.object({
  id: z.int(),
  version: z.int(),
  reply: reply.nullable(),
  error: reasonSchema.nullable(),
  model: model.nullable(),
  usage,
  duration_ms: z.int(),
  warnings,
});

export const tryOutput = z.object({
  /** Null where there is no draft younger than what is published. */
  draft: trial.nullable(),
  /** Null where nothing is published. */
  live: trial.nullable(),
});
