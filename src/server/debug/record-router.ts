import { router } from '../trpc/init';
import { personProcedure } from '../trpc/procedures';
import { recordInput, recordListInput, recordListOutput, recordOutput } from './record-schema';
import { listRecords, readRecord } from './record-view-service';

const readProcedure = personProcedure('records.read');
const listProcedure = personProcedure('records.read', { fromReplica: true });

/** Debugging calls and callbacks as received, for troubleshooting. */
export const recordRouter = router({
  list: listProcedure
    .input(recordListInput)
    .output(recordListOutput)
    .query(({ ctx: { services, person }, input }) => listRecords(services.db, input, person.timeZone)),

  one: readProcedure
    .input(recordInput)
    .output(recordOutput)
    .query(({ ctx: { services }, input }) => readRecord(services.db, input.id, null)),
});
