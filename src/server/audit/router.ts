import { router } from '../trpc/init';
import { personProcedure } from '../trpc/procedures';
import { auditActorsOutput, auditInput, auditOutput } from './schema';
import { listActors, listAudit } from './view-service';

/** The audit log. It is read-only; each change adds its own entry. */
export const auditRouter = router({
  list: personProcedure('audit.read', { fromReplica: true })
    .input(auditInput)
    .output(auditOutput)
    .query(({ ctx: { services, person }, input }) => listAudit(services.db, input, person.timeZone)),

  /** Whom the list can be filtered by. */
  actors: personProcedure('audit.read')
    .output(auditActorsOutput)
    .query(({ ctx: { services } }) => listActors(services.db)),
});
