import { type Actor, writeAudit } from '../../audit/audit';
import { notFound } from '../../core/errors/errors';
import { because } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import * as sql from './oauth-records.queries';

/** What a user has allowed a client to do. */
export interface ConsentView {
  clientId: string;
  clientName: string;
  /** Everything allowed, in any browser. */
  scopes: string[];
  since: Date;
  /** When it ends unless it is renewed. */
  until: Date;
}

/** The clients that may act for a user, by name; each once, however often it was allowed. */
export async function listConsents(db: Database, userId: number): Promise<ConsentView[]> {
  const rows = await sql.listConsents.run(db.pool, { userId });
  return rows.map(({ client_id: clientId, name: clientName, ...rest }) => ({
    clientId,
    clientName,
    ...rest,
  }));
}

/**
 * Withdraws what a user has allowed a client to do: its codes and tokens for the user are refused from the next request on, and
 * it must ask again.
 *
 * @throws ServiceError `not_found` if the user has allowed it nothing
 */
export async function withdrawConsent(
  db: Database,
  actor: Actor,
  input: { userId: number; clientId: string },
): Promise<void> {
  const { userId, clientId } = input;
  await db.prisma.$transaction(async (tx) => {
    // Deletes the grant first: anything made from it in the meantime is valid only while it exists.
    const { count } = await tx.oAuthRecord.deleteMany({ where: { model: 'Grant', userId, clientId } });
    if (count === 0) throw notFound(because('answer.noConsent'));
    await tx.oAuthRecord.deleteMany({ where: { userId, clientId } });
    const client = await tx.oAuthClient.findUnique({ where: { id: clientId }, select: { name: true } });
    await writeAudit(tx, actor, {
      action: 'oauth_client.withdraw_consent',
      recordType: 'oauth_client',
      recordId: clientId,
      before: { name: client?.name ?? null },
    });
  });
}
