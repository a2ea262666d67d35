import { router } from '../trpc/init';
import { personProcedure } from '../trpc/procedures';
import { recordInput, recordListInput, recordListOutput, recordOutput } from './record-schema';
import { listRecords, readRecord } from './record-view-service';

const reading = personProcedure('records.read');

/** Debugging calls and callbacks as received, for troubleshooting. */
export const recordRouter = router({
  list: reading
    .input(recordListInput)
    .output(recordListOutput)
    .query(({ ctx: { services }, input }) => listRecords(services.db, input)),

  one: reading
    .input(recordInput)
    .output(recordOutput)
    .query(({ ctx: { services }, input }) => readRecord(services.db, input.id, null)),
});
