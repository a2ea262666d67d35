import { type Actor, writeAuditEntry } from '../../audit/service';
import { notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import { type CurrentSession, lockSignedInUser } from '../sessions/session-service';
import * as sql from './oauth-records.queries';
import { saveOAuthRecordsIn } from './record-service';

/** What a user has allowed a client to do. */
export interface ConsentView {
  clientId: string;
  clientName: string;
  /** Every scope that was allowed, in any browser. */
  scopes: string[];
  since: Date;
  /** When the consent ends, unless it is renewed. */
  until: Date;
}

/** Returns the clients that may act for a user, ordered by name. A client that was allowed several times is listed once. */
export async function listConsents(db: Database, userId: number): Promise<ConsentView[]> {
  const rows = await sql.listConsents.run(db.pool, { userId });
  return rows.map(({ client_id: clientId, name: clientName, ...rest }) => ({
    clientId,
    clientName,
    ...rest,
  }));
}

/**
 * Saves a user's consent to a client, and records it in the audit log.
 *
 * @param saveGrant saves oidc-provider's grant
 * @returns what `saveGrant` returns
 * @throws ServiceError `unauthorized` if the session in which the user consented has ended
 */
export async function giveConsent(
  db: Database,
  actor: Actor,
  session: CurrentSession,
  input: {
    clientId: string;
    clientName: string;
    scopes: readonly string[];
    saveGrant: () => Promise<string>;
  },
): Promise<string> {
  return db.prisma.$transaction(async (tx) => {
    await lockSignedInUser(tx, session);
    const grantId = await saveOAuthRecordsIn(tx, input.saveGrant);
    await writeAuditEntry(tx, actor, {
      action: 'oauth_client.consent',
      recordType: 'oauth_client',
      recordId: input.clientId,
      after: { name: input.clientName, scopes: [...input.scopes] },
    });
    return grantId;
  });
}

/**
 * Withdraws a user's consent to a client. Its codes and tokens for the user are refused from the next request on, and it must
 * ask for consent again.
 *
 * @throws ServiceError `not_found` if the user has given the client no consent
 */
export async function withdrawConsent(
  db: Database,
  actor: Actor,
  input: { userId: number; clientId: string },
): Promise<void> {
  const { userId, clientId } = input;
  await db.prisma.$transaction(async (tx) => {
    // Deletes the grant first. Anything issued under it in the meantime is valid only while the grant exists.
    const { count } = await tx.oAuthRecord.deleteMany({ where: { model: 'Grant', userId, clientId } });
    if (count === 0) throw notFound(createReason('answer.noConsent'));
    await tx.oAuthRecord.deleteMany({ where: { userId, clientId } });
    const client = await tx.oAuthClient.findUnique({ where: { id: clientId }, select: { name: true } });
    await writeAuditEntry(tx, actor, {
      action: 'oauth_client.withdraw_consent',
      recordType: 'oauth_client',
      recordId: clientId,
      before: { name: client?.name ?? null },
    });
  });
}
