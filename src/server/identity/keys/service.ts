import type { Prisma } from '../../../generated/prisma/client';
import { type Actor, writeAuditEntry } from '../../audit/service';
import { invalidField, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import type { KeyPrincipal } from '../principals';
import type { KeyRestrictions } from '../scope';
import { apiKeys, hashSecret } from '../secret-token';
import { lockActor } from '../users/actor-service';
import type { ActorWithRole } from '../users/view-service';
import { type FindKeyRow, findKey } from './keys.queries';

/**
 * Finds the key of a request with one prepared statement. Nothing is cached, so every process refuses a revoked or expired
 * key from its next request on, and changed scopes or ranges apply immediately.
 *
 * @returns null if the key is unknown, revoked or expired
 * @throws ServiceError `service_unavailable` if the database cannot be queried
 */
export async function authenticateKey(
  db: Database,
  key: string,
  now: () => number,
): Promise<KeyPrincipal | null> {
  if (!apiKeys.isWellFormed(key)) return null;
  let row: FindKeyRow | undefined;
  try {
    [row] = await findKey.runPrepared(db.lookups, { hash: hashSecret(key) });
  } catch (cause) {
    throw new ServiceError('service_unavailable', createReason('service.noDatabase'), {
      headers: { 'Retry-After': '5' },
      cause,
    });
  }
  if (!row || row.revoked_at !== null) return null;
  if (row.expires_at !== null && row.expires_at.getTime() <= now()) return null;
  return { id: row.id, name: row.name, scopes: row.scopes, addressRanges: row.address_ranges };
}

/** A newly created key. */
export interface CreatedKey {
  id: number;
  /** The key itself. There is no other copy. */
  key: string;
  prefix: string;
  expiresAt: Date | null;
}

interface NewKey extends Partial<KeyRestrictions> {
  name: string;
  expiresAt: Date | null;
  /** Null for the configured default. */
  replyTokensPerDay?: number | null;
  rotatedFromId?: number;
}

/** Stores a new key and audits it, within the caller's transaction. */
export async function insertKey(
  tx: Prisma.TransactionClient,
  actor: Actor,
  input: NewKey,
): Promise<CreatedKey> {
  const newSecret = apiKeys.generate();
  const scopes = [...new Set(input.scopes)].toSorted();
  const addressRanges = [...new Set(input.addressRanges)];
  const row = await tx.apiKey.create({
    data: {
      name: input.name,
      hash: new Uint8Array(newSecret.hash),
      prefix: newSecret.prefix,
      lastFour: newSecret.lastFour,
      expiresAt: input.expiresAt,
      scopes,
      addressRanges,
      replyTokensPerDay: input.replyTokensPerDay ?? null,
      rotatedFromId: input.rotatedFromId ?? null,
      createdBy: actor.name,
      createdByUserId: actor.kind === 'user' ? (actor.id ?? null) : null,
    },
  });
  await writeAuditEntry(tx, actor, {
    action: 'api_key.create',
    recordType: 'api_key',
    recordId: row.id,
    after: {
      name: row.name,
      prefix: row.prefix,
      expires_at: row.expiresAt?.toISOString() ?? null,
      scopes,
      address_ranges: addressRanges,
      reply_tokens_per_day: row.replyTokensPerDay,
      rotated_from_id: row.rotatedFromId,
    },
  });
  return { id: row.id, key: newSecret.secret, prefix: newSecret.prefix, expiresAt: row.expiresAt };
}

/**
 * Creates a key. The result contains the only copy.
 *
 * @throws ServiceError `validation_failed` if `expiresAt` is in the past; `unauthorized` if the actor's session has ended
 */
export async function createApiKey(
  db: Database,
  actor: ActorWithRole,
  input: Omit<NewKey, 'rotatedFromId'>,
): Promise<CreatedKey> {
  if (input.expiresAt !== null && input.expiresAt.getTime() <= Date.now())
    throw invalidField('expires_at', createReason('key.future'));
  return db.prisma.$transaction(async (tx) => {
    await lockActor(tx, actor);
    return insertKey(tx, actor, input);
  });
}
