import type { Prisma } from '../../generated/prisma/client';
import type { Database } from '../db/client';

/** Who does something, and from where, as the audit log keeps it. */
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

/** Either the client or a transaction of it: the entry stands or falls with the change that it tells of. */
type Writer = Pick<Database['prisma'], 'auditEntry'>;

/** Adds an entry to the append-only audit log. Secrets never belong into `before` and `after`. */
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
