import { router } from '../trpc/init';
import { personProcedure } from '../trpc/procedures';
import { auditInput, auditOutput } from './schema';
import { listAudit } from './view-service';

/** The audit log. It is read-only; each change adds its own entry. */
export const auditRouter = router({
  list: personProcedure('audit.read')
    .input(auditInput)
    .output(auditOutput)
    .query(async ({ ctx: { services }, input }) => {
      const { entries, next } = await listAudit(services.db, {
        cursor: input.cursor,
        limit: input.limit,
        recordType: input.record_type,
        recordId: input.record_id,
        actor: input.actor,
        action: input.action,
      });
      return {
        entries: entries.map((entry) => ({
          id: String(entry.id),
          created_at: entry.createdAt.toISOString(),
          actor_kind: entry.actorKind,
          actor: entry.actor,
          action: entry.action,
          record_type: entry.recordType,
          record_id: entry.recordId,
          before: entry.before,
          after: entry.after,
          address: entry.address,
          request_id: entry.requestId,
        })),
        next,
      };
    }),
});
