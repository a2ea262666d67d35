import { z } from 'zod';
import { withReason } from '../../core/errors/validation';
import { instantSchema, nameSchema, shownFields } from '../../core/fields';
import { oauthClientSchema } from './schema';

/** A client's id. All ids are generated as UUIDs. */
const clientId = z
  .uuid(withReason('type.idClient'))
  .meta({ description: 'Id of a client', examples: ['0b2f6c1e-6a63-4c5e-9d0a-2f8f3f0f3a11'] });

export const clientInput = z.strictObject({ client_id: clientId });

export const createClientInput = oauthClientSchema;

const clientOutput = z.object({
  client_id: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  public: z.boolean(),
  state: z.enum(['active', 'revoked']),
  created_by: z.string(),
  created_at: instantSchema,
  revoked_at: instantSchema.nullable(),
});

export const renameClientInput = z.strictObject({
  client_id: clientId,
  name: nameSchema,
  shown: shownFields(clientOutput.pick({ name: true })),
});

export const clientsOutput = z.array(clientOutput);

/** The secret is shown only once. It is null for a public client. */
export const createdClientOutput = z.object({ client_id: z.string(), client_secret: z.string().nullable() });

export const revokedClientOutput = z.object({ client_id: z.string(), revoked_at: instantSchema });

export const rotatedSigningKeyOutput = z.object({
  id: z.string(),
  retired: z.array(z.string()),
  published_until: instantSchema,
});

export const consentsOutput = z.array(
  z.object({
    client_id: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    since: instantSchema,
    until: instantSchema,
  }),
);
