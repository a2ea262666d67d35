import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import { auditActorsOutput, auditInput, auditOutput } from './schema';
import { listActors, listAuditEntries } from './view-service';

/** The audit log. It is read-only; changes add their entries themselves. */
export const auditRouter = router({
  list: userProcedure('audit.read', { fromReplica: true })
    .input(auditInput)
    .output(auditOutput)
    .query(({ ctx: { services, user }, input }) => listAuditEntries(services.db, input, user.timeZone)),

  /** The actors that the list can be filtered by. */
  actors: userProcedure('audit.read')
    .output(auditActorsOutput)
    .query(({ ctx: { services } }) => listActors(services.db)),
});
