import { type Actor, writeAudit } from '../../audit/audit';
import { ServiceError } from '../../core/errors';
import { because } from '../../core/reason';
import type { Database } from '../../db/client';

/** What a user has allowed a tool to do. */
export interface ConsentView {
  clientId: string;
  clientName: string;
  /** Everything allowed, in any browser. */
  scopes: string[];
  since: Date;
  /** When it ends unless it is renewed. */
  until: Date;
}

const LIST = `
SELECT g.client_id AS "clientId", c.name AS "clientName", min(g.created_at) AS since, max(g.expires_at) AS until,
       array_agg(DISTINCT s.scope ORDER BY s.scope) FILTER (WHERE s.scope <> '') AS scopes
  FROM oauth_records g
  JOIN oauth_clients c ON c.id = g.client_id AND c.revoked_at IS NULL
  LEFT JOIN LATERAL unnest(string_to_array(g.payload #>> '{openid,scope}', ' ')) AS s(scope) ON true
 WHERE g.model = 'Grant' AND g.user_id = $1 AND g.expires_at > now()
 GROUP BY g.client_id, c.name ORDER BY c.name, g.client_id`;

/** The tools that may act for a user, by name; each once, however often it was allowed. */
export async function listConsents(db: Database, userId: number): Promise<ConsentView[]> {
  const { rows } = await db.pool.query<Omit<ConsentView, 'scopes'> & { scopes: string[] | null }>(LIST, [
    userId,
  ]);
  return rows.map((row) => ({ ...row, scopes: row.scopes ?? [] }));
}

/**
 * Withdraws what a user has allowed a tool to do: its codes and tokens for the user are refused from the next request on, and
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
    if (count === 0) throw new ServiceError('not_found', because('answer.noConsent'));
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
