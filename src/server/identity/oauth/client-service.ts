import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { requireUnchanged } from '../../audit/edit-conflict-service';
import { writeAuditEntry } from '../../audit/service';
import { notFound, validationError } from '../../core/errors/errors';
import { createReason, problemAt } from '../../core/errors/reason';
import { reasonOf } from '../../core/errors/validation';
import type { Database } from '../../db/client';
import { clientSecrets } from '../secret-token';
import { lockActor } from '../users/actor-service';
import type { ActorWithRole } from '../users/view-service';
import { lockClient } from './oauth-records.queries';
import { oauthClientSchema } from './schema';

/** A client as shown to users, without its secret's hash. */
export interface OAuthClientView {
  id: string;
  name: string;
  redirectUris: string[];
  /** Whether it has no secret. */
  public: boolean;
  createdBy: string;
  createdAt: Date;
  revokedAt: Date | null;
}

/** What the authorization server needs to know about an active client. */
export interface ActiveOAuthClient {
  id: string;
  name: string;
  redirectUris: string[];
  secretHash: Uint8Array | null;
}

/**
 * Registers a client. The result contains the only copy of its secret. A public client has none.
 *
 * @throws ServiceError `validation_failed` if the name or a redirect URI is invalid; `unauthorized` if the actor's session has
 * ended
 */
export async function createOAuthClient(
  db: Database,
  actor: ActorWithRole,
  input: z.input<typeof oauthClientSchema>,
): Promise<{ id: string; secret: string | null }> {
  const parseResult = oauthClientSchema.safeParse(input);
  if (!parseResult.success) {
    throw validationError(
      parseResult.error.issues.map((issue) => problemAt(issue.path.join('.'), reasonOf(issue))),
    );
  }
  const { name, redirect_uris: redirectUris, public: isPublic } = parseResult.data;
  const newSecret = isPublic ? null : clientSecrets.generate();
  const id = randomUUID();
  await db.prisma.$transaction(async (tx) => {
    await lockActor(tx, actor);
    await tx.oAuthClient.create({
      data: {
        id,
        name,
        redirectUris,
        secretHash: newSecret ? Uint8Array.from(newSecret.hash) : null,
        createdBy: actor.name,
      },
    });
    await writeAuditEntry(tx, actor, {
      action: 'oauth_client.create',
      recordType: 'oauth_client',
      recordId: id,
      after: { name, redirect_uris: redirectUris, public: isPublic },
    });
  });
  return { id, secret: newSecret?.secret ?? null };
}

/** Returns all clients, newest first. */
export async function listOAuthClients(db: Database): Promise<OAuthClientView[]> {
  const rows = await db.prisma.oAuthClient.findMany({ orderBy: [{ createdAt: 'desc' }, { id: 'asc' }] });
  return rows.map(({ secretHash, ...client }) => ({ ...client, public: secretHash === null }));
}

/** Returns the client, or null if it is unknown or revoked. */
export async function findOAuthClient(db: Database, id: string): Promise<ActiveOAuthClient | null> {
  // PostgreSQL rejects this character, and no stored id contains it.
  if (id.includes('\0')) return null;
  return db.prisma.oAuthClient.findFirst({
    where: { id, revokedAt: null },
    select: { id: true, name: true, redirectUris: true, secretHash: true },
  });
}

/**
 * Renames a client. Users see the new name immediately, for example when they are next asked for consent.
 *
 * @throws ServiceError `not_found` if no client has the id or it is revoked; `conflict` if the name is no longer the one in
 * `shown`; `unauthorized` if the actor's session has ended
 */
export async function renameOAuthClient(
  db: Database,
  actor: ActorWithRole,
  input: { id: string; name: string; shown?: { name?: string | undefined } | undefined },
): Promise<void> {
  const { id, name, shown } = input;
  await db.prisma.$transaction(async (tx) => {
    await lockActor(tx, actor);
    await lockClient.runIn(tx, { id });
    const client = await tx.oAuthClient.findFirst({ where: { id, revokedAt: null } });
    if (!client) throw notFound(createReason('answer.noClientInUse', { client: id }));
    const record = { recordType: 'oauth_client' as const, recordId: id };
    const stored = { name: client.name };
    await requireUnchanged(tx, actor, record, { shown, stored, newValues: { name } });
    if (client.name === name) return;
    await tx.oAuthClient.update({ where: { id }, data: { name } });
    await writeAuditEntry(tx, actor, {
      action: 'oauth_client.rename',
      ...record,
      before: stored,
      after: { name },
    });
  });
}

/**
 * Revokes a client. It and all of its tokens are refused from the next request on. Does nothing if it is already revoked.
 *
 * @throws ServiceError `not_found` if no client has the id; `unauthorized` if the actor's session has ended
 */
export async function revokeOAuthClient(
  db: Database,
  actor: ActorWithRole,
  id: string,
): Promise<{ id: string; revokedAt: Date }> {
  return db.prisma.$transaction(async (tx) => {
    await lockActor(tx, actor);
    await lockClient.runIn(tx, { id });
    const client = await tx.oAuthClient.findUnique({ where: { id } });
    if (!client) throw notFound(createReason('answer.noClient', { client: id }));
    if (client.revokedAt) return { id, revokedAt: client.revokedAt };
    const revokedAt = new Date();
    await tx.oAuthClient.update({ where: { id }, data: { revokedAt } });
    await tx.oAuthRecord.deleteMany({ where: { clientId: id } });
    await writeAuditEntry(tx, actor, {
      action: 'oauth_client.revoke',
      recordType: 'oauth_client',
      recordId: id,
      before: { name: client.name, revoked_at: null },
      after: { revoked_at: revokedAt.toISOString() },
    });
    return { id, revokedAt };
  });
}
