import { decodeIdCursor, encodeIdCursor } from '../core/cursor';
import type { Database } from '../db/client';

interface AuditQuery {
  cursor?: string;
  limit: number;
  recordType?: string;
  recordId?: string;
  actor?: string;
  action?: string;
}

/** Returns a page of the audit log, newest first. */
export async function listAudit(db: Database, query: AuditQuery) {
  const found = await db.prisma.auditEntry.findMany({
    where: {
      ...(query.cursor === undefined ? {} : { id: { lt: BigInt(decodeIdCursor(query.cursor)) } }),
      ...(query.recordType === undefined ? {} : { recordType: query.recordType }),
      ...(query.recordId === undefined ? {} : { recordId: query.recordId }),
      ...(query.actor === undefined
        ? {}
        : { actor: { contains: query.actor, mode: 'insensitive' as const } }),
      ...(query.action === undefined ? {} : { action: query.action }),
    },
    orderBy: { id: 'desc' },
    take: query.limit + 1,
  });
  const entries = found.slice(0, query.limit);
  return { entries, next: found.length > query.limit ? encodeIdCursor(String(entries.at(-1)!.id)) : null };
}
