import { z } from 'zod';
import { reasonSchema } from '../../core/errors/reason-schema';
import { MAX_INTEGER } from '../../core/exact-integer';
import { instantSchema, shownFields } from '../../core/fields';
import { idSchema } from '../../core/ids';
import {
  conversationSchema,
  messageRequest,
  messageResponse,
  promptTextSchema,
  shopNameSchema,
} from '../schema';
import { warningSchema } from '../warning';

const state = z.enum(['draft', 'published', 'retired']);

const promptVersionSchema = z.object({
  id: z.int(),
  version: z.int(),
  state,
  text: z.string(),
  created_at: instantSchema,
  published_at: instantSchema.nullable(),
  /** The author's e-mail address. Null for the command line and the demo. */
  created_by: z.string().nullable(),
});

const promptSummarySchema = promptVersionSchema.omit({ text: true });

export const promptListOutput = z.object({
  prompts: z.array(
    z.object({
      shop_name: z.string(),
      /** The shop that the prompt belongs to. Null if the prompt is waiting for a shop with this name. */
      shop_id: z.int().nullable(),
      versions: z.int(),
      published: promptSummarySchema.nullable(),
      /** The newest draft, if it is newer than the published version. */
      draft: promptSummarySchema.nullable(),
    }),
  ),
  /** The names of shops that are not archived and have no prompt. */
  without: z.array(z.string()),
});

export const promptShopInput = z.strictObject({ shop_name: shopNameSchema });

/** The newest 500 versions with their texts, newest first. */
export const promptVersionsOutput = z.object({
  /** The shop's current name, even if the request used a former one. */
  shop_name: z.string(),
  versions: z.array(promptVersionSchema),
});

export const setPromptInput = z.strictObject({
  shop_name: shopNameSchema,
  text: promptTextSchema,
  /** True to save the version without publishing it. */
  draft: z.boolean().default(false),
  /** The number of the newest version when the form was opened, or 0 if there was none. */
  shown: shownFields(z.object({ version: z.int().min(0).max(MAX_INTEGER) })),
});

/** The input schema of the editor's form. */
export const promptFormSchema = setPromptInput.pick({ text: true });

export const versionInput = z.strictObject({ id: idSchema('type.idPrompt') });

export const versionOutput = promptVersionSchema;

const { order_number: orderNumber, buyer_name: buyerName } = messageRequest.shape;

export const tryInput = z.strictObject({
  shop_name: shopNameSchema,
  order_number: orderNumber,
  buyer_name: buyerName,
  /** Oldest first. If omitted, the reply is the shop's first message. */
  messages: conversationSchema.optional(),
});

const { reply, model, usage } = messageResponse.shape.data.shape;

/** A reply written with one version of the prompt. If writing it failed, `error` says why. */
const trial = z.object({
  id: z.int(),
  version: z.int(),
  reply: reply.nullable(),
  error: reasonSchema.nullable(),
  model: model.nullable(),
  usage,
  duration_ms: z.int(),
  warnings: z.array(warningSchema),
});

export const tryOutput = z.object({
  /** Null if there is no draft newer than the published version. */
  draft: trial.nullable(),
  /** Null if no version is published. */
  live: trial.nullable(),
});
