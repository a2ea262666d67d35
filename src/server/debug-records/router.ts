import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import { recordInput, recordListInput, recordListOutput, recordOutput } from './schema';
import { listRecordViews, readRecordView } from './view-service';

const readProcedure = userProcedure('records.read');
const listProcedure = userProcedure('records.read', { fromReplica: true });

/** Debug records and callbacks as received, except that credentials are masked, for troubleshooting. */
export const recordRouter = router({
  list: listProcedure
    .input(recordListInput)
    .output(recordListOutput)
    .query(({ ctx: { services, user }, input }) => listRecordViews(services.db, input, user.timeZone)),

  one: readProcedure
    .input(recordInput)
    .output(recordOutput)
    .query(({ ctx: { services }, input }) => readRecordView(services.db, input.id)),
});
