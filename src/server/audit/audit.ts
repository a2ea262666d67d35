import type pg from 'pg';
import type { Prisma } from '../../generated/prisma/client';
import type { Database } from '../db/client';
import { addEntries } from './audit.queries';

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

/** Adds many entries at once, in the transaction of `client`. */
export async function writeAudits(
  client: pg.PoolClient,
  actor: Actor,
  records: readonly AuditRecord[],
): Promise<void> {
  if (records.length === 0) return;
  await addEntries.run(client, {
    kind: actor.kind,
    actorId: actor.id ?? null,
    actor: actor.name,
    address: actor.address ?? null,
    requestId: actor.requestId ?? null,
    records: JSON.stringify(records),
  });
}
