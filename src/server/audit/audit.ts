import type pg from 'pg';
import type { Prisma } from '../../generated/prisma/client';
import type { Database } from '../db/client';

/** Who acts, and from where, as recorded in the audit log. */
export interface Actor {
  kind: 'user' | 'api_key' | 'command' | 'system';
  id?: number;
  name: string;
  address?: string;
  requestId?: string;
}

interface AuditRecord {
  action: string;
  recordType: string;
  recordId: string | number;
  before?: Prisma.InputJsonValue;
  after?: Prisma.InputJsonValue;
}

/** The client or one of its transactions; in a transaction, the entry commits or rolls back together with the change. */
type Writer = Pick<Database['prisma'], 'auditEntry'>;

/** Adds an entry to the append-only audit log. Never put secrets into `before` or `after`. */
export async function writeAudit(db: Writer, actor: Actor, record: AuditRecord): Promise<void> {
  await db.auditEntry.create({
    data: {
      actorKind: actor.kind,
      actorId: actor.id ?? null,
      actor: actor.name,
      address: actor.address ?? null,
      requestId: actor.requestId ?? null,
      ...record,
      recordId: String(record.recordId),
    },
  });
}

const INSERT_MANY = `
INSERT INTO audit_log (actor_kind, actor_id, actor, address, request_id, action, record_type, record_id, before, after)
SELECT $1, $2, $3, $4, $5, r.action, r."recordType", r."recordId", r.before, r.after
  FROM json_to_recordset($6::json) AS r(action text, "recordType" text, "recordId" text, before jsonb, after jsonb)`;

/** Adds many entries at once, in the transaction of `client`. */
export async function writeAudits(
  client: pg.PoolClient,
  actor: Actor,
  records: readonly AuditRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const { kind, id = null, name, address = null, requestId = null } = actor;
  await client.query(INSERT_MANY, [kind, id, name, address, requestId, JSON.stringify(records)]);
}
