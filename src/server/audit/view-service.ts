import type { Database } from '../db/client';

interface AuditQuery {
  before?: string;
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
      ...(query.before === undefined ? {} : { id: { lt: BigInt(query.before) } }),
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
  return { entries, next: found.length > query.limit ? String(entries.at(-1)!.id) : null };
}
