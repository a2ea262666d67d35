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

/** Scopes that a client may ask for. */
export const SCOPES = ['openid', 'profile', 'email', 'user:read'] as const;

function clientMetadata({ id, name, redirectUris, secretHash }: ActiveOAuthClient): AdapterPayload {
  const isPublic = secretHash === null;
  return {
    client_id: id,
    client_name: name,
    redirect_uris: redirectUris,
    response_types: ['code'],
    // A program on somebody's machine can be imitated by another there, so that its person is asked every time.
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
          // The hash, which compareClientSecret compares with; the secret itself is kept nowhere.
          client_secret: Buffer.from(secretHash).toString('hex'),
        }),
  };
}

/** What may be kept of a payload: nothing in it is an id that opens something. */
function keptPayload(model: string, id: string, payload: AdapterPayload): object {
  const { jti: _, consumed: __, ...kept } = payload;
  if (model !== 'Interaction') return kept;
  const { cookie: ___, ...session } = kept.session ?? {};
  return {
    ...kept,
    session: kept.session && session,
    // It ends in the id.
    returnTo: kept.returnTo?.slice(0, -id.length),
  };
}

function restoredPayload(
  model: string,
  id: string | undefined,
  found: { payload: Record<string, unknown>; consumedAt: Date | null } | null,
): AdapterPayload | undefined {
  if (!found) return undefined;
  const { payload, consumedAt } = found;
  return {
    ...payload,
    ...(id === undefined ? {} : { jti: id }),
    ...(model === 'Interaction' ? { returnTo: `${payload.returnTo}${id}` } : {}),
    ...(consumedAt ? { consumed: Math.floor(consumedAt.getTime() / 1000) } : {}),
  };
}

/** Where oidc-provider keeps its state: PostgreSQL, the same for all servers of a deployment. */
export function createAdapter(db: Database, InvalidGrant: typeof errors.InvalidGrant): AdapterFactory {
  const clients: Adapter = {
    async find(id) {
      const client = await findOAuthClient(db, id);
      return client ? clientMetadata(client) : undefined;
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    upsert: async () => undefined,
    destroy: async () => undefined,
    revokeByGrantId: async () => undefined,
    consume: async () => undefined,
  };
  return (model) => {
    if (model === 'Client') return clients;
    return {
      async upsert(id, payload, expiresIn) {
        await saveOAuthRecord(db, {
          model,
          id,
          payload: keptPayload(model, id, payload),
          grantId: payload.grantId ?? null,
          uid: payload.uid ?? null,
          clientId: payload.clientId ?? null,
          userId: payload.accountId === undefined ? null : Number(payload.accountId),
          expiresIn: expiresIn ?? null,
        });
      },
      find: async (id) => restoredPayload(model, id, await findOAuthRecord(db, model, id)),
      // Whoever knows the uid alone gets the record without the id.
      findByUid: async (uid) => restoredPayload(model, undefined, await findOAuthRecordByUid(db, model, uid)),
      findByUserCode: async () => undefined,
      destroy: (id) => deleteOAuthRecord(db, model, id),
      revokeByGrantId: (grantId) => deleteOAuthRecordsOfGrant(db, model, grantId),
      async consume(id) {
        if (!(await consumeOAuthRecord(db, model, id))) throw new InvalidGrant('already used');
      },
    };
  };
}
