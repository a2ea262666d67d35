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
  /** Email address of its author; null for the command line and the demo. */
  created_by: z.string().nullable(),
});

const promptHead = promptVersion.omit({ text: true });

export const promptListOutput = z.object({
  prompts: z.array(
    z.object({
      shop_name: z.string(),
      /** The shop it belongs to; null if it is waiting for a shop of that name. */
      shop_id: z.int().nullable(),
      versions: z.int(),
      published: promptHead.nullable(),
      /** The newest draft, if it is newer than the published version. */
      draft: promptHead.nullable(),
    }),
  ),
  /** Stored shops without a prompt. */
  without: z.array(z.string()),
});

export const promptShopInput = z.strictObject({ shop_name: shopNameSchema });

/** The newest 500 versions with their texts, newest first. */
export const promptVersionsOutput = z.object({
  /** The shop's current name, even if the request used a former one. */
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

/** One prompt's reply; if it failed, `error` says why. */
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
  /** Null if there is no draft newer than the published version. */
  draft: trial.nullable(),
  /** Null if no version is published. */
  live: trial.nullable(),
});
