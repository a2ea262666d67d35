import { z } from 'zod';
import { reasonSchema } from '../core/errors/reason-schema';
import { withReason } from '../core/errors/validation';
import { instantSchema, nameSchema, shownFields, timeZoneSchema } from '../core/fields';
import { idSchema } from '../core/ids';
import { localeSchema } from '../identity/users/account-schema';
import { KINDS, VENDORS } from './kind';

const id = idSchema('type.idChannel');
const kinds = z.array(z.enum(KINDS)).max(KINDS.length);
const shopId = idSchema('type.idShop');
const shopIds = z.array(shopId).max(200);
const vendor = z.enum(VENDORS);

const settingFields = {
  kinds,
  /** Empty for all shops. */
  shop_ids: shopIds,
  /** When the daily summary is due, in `time_zone`. */
  send_at: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, withReason('notification.time'))
    .meta({ examples: ['08:00'] }),
  time_zone: timeZoneSchema,
  locale: localeSchema,
  /** Whether a summary is sent even on days with nothing to do. */
  empty_days: z.boolean(),
  /** Whether the channel is switched on. */
  active: z.boolean(),
};

export const channelOutput = z.object({
  id,
  vendor,
  name: z.string(),
  /** Whether its messages are signed (DingTalk). */
  signed: z.boolean(),
  ...settingFields,
});

export const channelsOutput = z.object({
  channels: z.array(channelOutput),
  /** Whether a mail server is configured. */
  has_email: z.boolean(),
});

export const saveChannelInput = z.strictObject({
  /** The channel to change. If omitted, a new one is added. */
  id: id.optional(),
  vendor,
  /** If omitted, the stored name stays; a new channel is named after its vendor. */
  name: nameSchema.optional(),
  /** The address of the webhook. If omitted, the stored one stays. */
  url: z
    .string()
    .trim()
    .max(500, withReason('text.long', { count: 500 }))
    .optional(),
  /** DingTalk's signing secret. If omitted, the stored one is kept, unless `url` is given. */
  signing_key: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]{8,200}$/, withReason('notification.signingKey'))
    .optional(),
  ...settingFields,
  shown: shownFields(z.object({ name: nameSchema, ...settingFields })),
});

export type ChannelInput = z.output<typeof saveChannelInput>;

/** The input schema of the page's form, in which shop ids are strings. */
export const channelFormSchema = saveChannelInput.omit({ shown: true }).extend({
  shop_ids: z.array(z.string().transform(Number).pipe(shopId)).max(200),
});

export const channelInput = z.strictObject({ id });

/** The reason is null if the message was sent. */
export const testOutput = z.object({ reason: reasonSchema.nullable() });

export const deliveriesOutput = z.array(
  z.object({
    id: z.string(),
    channel: z.string(),
    vendor,
    kind: z.enum([...KINDS, 'test']),
    title: z.string(),
    state: z.enum(['waiting', 'sending', 'sent', 'failed', 'skipped']),
    /** Why the last attempt failed. */
    failure: reasonSchema.nullable(),
    created_at: instantSchema,
    sent_at: instantSchema.nullable(),
  }),
);
