import { z } from 'zod';
import { reasonFields } from '../../core/errors/reason-schema';
import { withReason } from '../../core/errors/validation';
import { nameSchema, nextCursor, pageFields, shownFields } from '../../core/fields';
import { idSchema } from '../../core/ids';
import { MAX_GRACE_HOURS } from './bounds';

const MAX_SCOPES = 100;
const MAX_RANGES = 50;

const instant = z.iso
  .datetime()
  .meta({ description: 'ISO 8601 in UTC', examples: ['2026-11-21T09:30:00.000Z'] });

const countSchema = (description: string) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [12] });

const keyId = idSchema('type.idKey').meta({ description: 'Id of a key', examples: [3] });

export const scopeSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,99}$/, withReason('key.operation'))
  .meta({ description: 'Name of an operation of the API', examples: ['post_api_orders_import'] });

/** Checked by zod because browsers cannot load core/http/address-range.ts. */
export const addressRangeSchema = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], withReason('key.address'))
  .meta({ description: 'An address, or a range in CIDR notation', examples: ['203.0.113.0/24'] });

const scopes = z
  .array(scopeSchema)
  .max(MAX_SCOPES, withReason('key.operations', { count: MAX_SCOPES }))
  .meta({
    description: 'The operations that the key may call; empty for all',
    examples: [['post_api_orders_import']],
  });

const addressRanges = z
  .array(addressRangeSchema)
  .max(MAX_RANGES, withReason('key.ranges', { count: MAX_RANGES }))
  .meta({
    description: 'Where the key may be used from; empty for everywhere',
    examples: [['203.0.113.0/24', '2001:db8::/32']],
  });

const replyTokens = z
  .int(withReason('csv.whole'))
  .min(0, withReason('key.range', { minimum: 0, maximum: 1000000000 }))
  .max(1_000_000_000, withReason('key.range', { minimum: 0, maximum: 1000000000 }))
  .nullable()
  .meta({
    description: 'Tokens that its replies to buyers may use per UTC day; null for the configured default',
    examples: [500_000],
  });

/** When a key expires, with any UTC offset; null for never. */
const expiry = z.iso
  .datetime({ offset: true, ...withReason('key.time') })
  .transform((text) => new Date(text))
  .refine((time) => time.getUTCFullYear() <= 9999, withReason('key.year'))
  .nullable()
  .meta({
    description: 'When the key expires; null for never',
    examples: ['2027-01-31T00:00:00Z'],
  });

const keyStateSchema = z
  .enum(['active', 'expired', 'revoked'])
  .meta({ description: 'Whether the key is valid', examples: ['active'] });

export const keyInput = z.strictObject({ id: keyId });

export const createKeyInput = z.strictObject({
  name: nameSchema,
  expires_at: expiry.default(null),
  scopes: scopes.default([]),
  address_ranges: addressRanges.default([]),
  reply_tokens_per_day: replyTokens.default(null),
});

export const rotateKeyInput = z.strictObject({
  id: keyId,
  grace_hours: z
    .number(withReason('key.hours'))
    .min(0, withReason('key.range', { minimum: 0, maximum: MAX_GRACE_HOURS }))
    .max(MAX_GRACE_HOURS, withReason('key.range', { minimum: 0, maximum: MAX_GRACE_HOURS }))
    .meta({ description: 'Hours for which the old key stays valid; 0 ends it immediately', examples: [2] }),
});

const rotationOutput = z.object({
  to_id: keyId.meta({ description: 'The key that replaced it' }),
  at: instant,
  calls_since: countSchema('Calls with the old key since then that are still in the request log'),
  users_since: z
    .array(
      z.object({
        address: z
          .string()
          .nullable()
          .meta({ description: 'The address that the calls came from', examples: ['203.0.113.7'] }),
        calls: countSchema('Calls from there'),
        last_at: instant,
      }),
    )
    .meta({ description: 'Addresses that still use the old key, most recent first' }),
});

export const keyOutput = z.object({
  id: keyId,
  name: z.string().meta({ description: 'What the key is for', examples: ['ERP bridge'] }),
  prefix: z.string().meta({ description: 'How the key begins', examples: ['bdk_4fGh'] }),
  last_four: z.string().meta({ description: 'How the key ends', examples: ['9xYz'] }),
  state: keyStateSchema,
  scopes,
  address_ranges: addressRanges,
  reply_tokens_per_day: replyTokens,
  reply_tokens: z
    .object({
      budget: countSchema('Tokens that its replies may use today'),
      used: countSchema('Tokens that they have used today'),
      reserved: countSchema('Tokens reserved for replies being written'),
    })
    .meta({ description: 'Its budget for replies in the current UTC day' }),
  created_by: z.string().meta({ description: 'Who created it', examples: ['ann@example.com'] }),
  created_at: instant,
  expires_at: instant.nullable(),
  last_used_at: instant.nullable(),
  revoked_at: instant.nullable(),
  rotated_from_id: keyId.nullable(),
  rotation: rotationOutput.nullable(),
});

/** A key as shown to users, without its hash. */
export type KeyView = z.output<typeof keyOutput>;

/** Omitted fields stay as they are. */
export const updateKeyInput = z.strictObject({
  id: keyId,
  name: nameSchema.optional(),
  expires_at: expiry.optional(),
  scopes: scopes.optional(),
  address_ranges: addressRanges.optional(),
  reply_tokens_per_day: replyTokens.optional(),
  shown: shownFields(
    keyOutput.pick({
      name: true,
      expires_at: true,
      scopes: true,
      address_ranges: true,
      reply_tokens_per_day: true,
    }),
  ),
});

export const keysOutput = z.array(keyOutput);

/** A key including its secret, which is shown only once. */
export const createdKeyOutput = keyOutput.extend({
  key: z.string().meta({ description: 'The key; it is not shown again' }),
});

/** The new key, and the expiry of the old one. */
export const rotatedKeyOutput = createdKeyOutput.extend({
  old: z.object({ id: keyId, expires_at: instant }),
});

export const keyCallsInput = z.strictObject({
  id: keyId,
  cursor: pageFields.cursor.meta({ description: 'The `next` of the previous page' }),
  limit: pageFields.limit.meta({ description: 'Calls per page', examples: [50] }),
  errors_only: z
    .boolean()
    .default(false)
    .meta({ description: 'Only calls whose response had status 400 or more', examples: [true] }),
});

/**
 * The error of a call. Calls that 0.27.0 logged have only English sentences: they are read until REQUEST_LOG_DAYS after the update
 * from it.
 */
const callErrorOutput = z.union([
  z.object({
    code: z.string(),
    ...reasonFields,
    problems: z.array(z.object({ path: z.string(), ...reasonFields })),
  }),
  z.object({
    code: z.string(),
    message: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })),
  }),
]);

/** The error of a call in the request log. */
export type CallError = z.output<typeof callErrorOutput>;

const keyCallOutput = z.object({
  id: z.string(),
  created_at: instant,
  request_id: z.string().meta({ description: "The call's X-Request-Id", examples: ['nightly-42'] }),
  method: z.string().meta({ description: 'HTTP method', examples: ['POST'] }),
  route: z.string().meta({ description: 'Path of the operation', examples: ['/api/orders/import'] }),
  status: z.int().meta({
    description: 'HTTP status; 499 if the client closed the connection',
    examples: [200],
  }),
  duration_ms: countSchema('Milliseconds until the response'),
  error: callErrorOutput
    .nullable()
    .meta({ description: 'The error response without personal data; null if the call succeeded' }),
  address: z
    .string()
    .nullable()
    .meta({ description: "The client's address", examples: ['203.0.113.7'] }),
});

/** A call as the request log page shows it. */
export type KeyCallView = z.output<typeof keyCallOutput>;

export const keyCallsOutput = z.object({
  calls: z.array(keyCallOutput),
  /** The cursor of the next page; null at the end. */
  next: nextCursor,
  /** For how many days calls are stored. */
  days: z.number(),
});

export const keyOperationsOutput = z.array(z.object({ name: scopeSchema, summary: z.string() }));
