import type { Adapter, AdapterFactory, AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '../db/client';
import { type ActiveOAuthClient, findOAuthClient } from '../identity/oauth/client-service';
import {
  consumeOAuthRecord,
  deleteOAuthRecord,
  deleteOAuthRecordsOfGrant,
  findOAuthRecord,
  findOAuthRecordByUid,
  saveOAuthRecord,
} from '../identity/oauth/record-service';
import { isNativeRedirect } from '../identity/oauth/schema';

/** The scopes that a client may request. */
export const SCOPES = ['openid', 'profile', 'email', 'user:read'] as const;

function toClientMetadata({ id, name, redirectUris, secretHash }: ActiveOAuthClient): AdapterPayload {
  const isPublic = secretHash === null;
  return {
    client_id: id,
    client_name: name,
    redirect_uris: redirectUris,
    response_types: ['code'],
    // Another program on the same machine can impersonate a native client, so oidc-provider asks the user every time.
    application_type: isPublic && redirectUris.some(isNativeRedirect) ? 'native' : 'web',
    grant_types: [
      'authorization_code',
      'refresh_token',
      ...(isPublic ? [] : (['client_credentials'] as const)),
    ],
    ...(isPublic
      ? { token_endpoint_auth_method: 'none' }
      : {
          token_endpoint_auth_method: 'client_secret_basic',
          // The hash, which compareClientSecret uses. The secret itself is never stored.
          client_secret: Buffer.from(secretHash).toString('hex'),
        }),
  };
}

/** Returns the payload without the ids and cookies that would grant access. */
function withoutSecrets(model: string, id: string, payload: AdapterPayload): object {
  const { jti: _, consumed: __, ...storedPayload } = payload;
  if (model !== 'Interaction') return storedPayload;
  const { cookie: ___, ...session } = storedPayload.session ?? {};
  return {
    ...storedPayload,
    session: storedPayload.session && session,
    // The URL ends with the id.
    returnTo: storedPayload.returnTo?.slice(0, -id.length),
  };
}

function restorePayload(
  model: string,
  id: string | undefined,
  record: { payload: Record<string, unknown>; consumedAt: Date | null } | null,
): AdapterPayload | undefined {
  if (!record) return undefined;
  const { payload, consumedAt } = record;
  return {
    ...payload,
    ...(id === undefined ? {} : { jti: id }),
    ...(model === 'Interaction' ? { returnTo: `${payload.returnTo}${id}` } : {}),
    ...(consumedAt ? { consumed: Math.floor(consumedAt.getTime() / 1000) } : {}),
  };
}

/** Creates the adapter that stores oidc-provider's state in PostgreSQL, shared by all servers of a deployment. */
export function createAdapter(db: Database, InvalidGrant: typeof errors.InvalidGrant): AdapterFactory {
  const clientAdapter: Adapter = {
    async find(id) {
      const client = await findOAuthClient(db, id);
      return client ? toClientMetadata(client) : undefined;
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    upsert: async () => undefined,
    destroy: async () => undefined,
    revokeByGrantId: async () => undefined,
    consume: async () => undefined,
  };
  return (model) => {
    if (model === 'Client') return clientAdapter;
    return {
      async upsert(id, payload, expiresIn) {
        await saveOAuthRecord(db, {
          model,
          id,
          payload: withoutSecrets(model, id, payload),
          grantId: payload.grantId ?? null,
          uid: payload.uid ?? null,
          clientId: payload.clientId ?? null,
          userId: payload.accountId === undefined ? null : Number(payload.accountId),
          expiresIn: expiresIn ?? null,
        });
      },
      find: async (id) => restorePayload(model, id, await findOAuthRecord(db, model, id)),
      // A record found by its uid is returned without its id.
      findByUid: async (uid) => restorePayload(model, undefined, await findOAuthRecordByUid(db, model, uid)),
      findByUserCode: async () => undefined,
      destroy: (id) => deleteOAuthRecord(db, model, id),
      revokeByGrantId: (grantId) => deleteOAuthRecordsOfGrant(db, model, grantId),
      async consume(id) {
        if (!(await consumeOAuthRecord(db, model, id))) throw new InvalidGrant('already used');
      },
    };
  };
}
