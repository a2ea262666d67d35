import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import { assignEntries, handleEntries, putBackEntries, snoozeEntries } from './change-service';
import {
  assignInput,
  entriesOutput,
  handleEntriesInput,
  noteUnmatchedInput,
  putBackInput,
  queueCountsInput,
  queueCountsOutput,
  queueListInput,
  queueListOutput,
  queuePeopleOutput,
  snoozeInput,
  unmatchedInput,
  unmatchedOutput,
} from './schema';
import { countQueues, listEntries, listUsers } from './service';
import { readUnmatchedNumber, setUnmatchedNote } from './unmatched-service';

const readProcedure = userProcedure('orders.read');
const listProcedure = userProcedure('orders.read', { fromReplica: true });
const writeProcedure = userProcedure('orders.write');

/** The work queues of the back office. */
export const queueRouter = router({
  counts: listProcedure
    .input(queueCountsInput)
    .output(queueCountsOutput)
    .query(({ ctx: { services, user }, input }) =>
      countQueues(services.db, { ...input, userId: user.userId, timeZone: user.timeZone }),
    ),

  list: listProcedure
    .input(queueListInput)
    .output(queueListOutput)
    .query(({ ctx: { services, user }, input }) => listEntries(services.db, input, user.userId)),

  people: readProcedure
    .output(queuePeopleOutput)
    .query(({ ctx: { services, user } }) => listUsers(services.db, user.userId)),

  handle: writeProcedure
    .input(handleEntriesInput)
    .output(entriesOutput)
    .mutation(({ ctx: { services, actor, user }, input }) =>
      handleEntries(services.db, { ...actor, id: user.userId }, input),
    ),

  snooze: writeProcedure
    .input(snoozeInput)
    .output(entriesOutput)
    .mutation(({ ctx: { services, actor, user }, input }) =>
      snoozeEntries(services.db, { ...actor, id: user.userId }, input, services.now()),
    ),

  assign: writeProcedure
    .input(assignInput)
    .output(entriesOutput)
    .mutation(({ ctx: { services, actor }, input }) => {
      const { user_id: userId, ...selection } = input;
      return assignEntries(services.db, actor, { ...selection, userId });
    }),

  putBack: writeProcedure
    .input(putBackInput)
    .output(entriesOutput)
    .mutation(({ ctx: { services, actor }, input }) => putBackEntries(services.db, actor, input)),

  unmatched: readProcedure
    .input(unmatchedInput)
    .output(unmatchedOutput)
    .query(({ ctx: { services }, input }) => readUnmatchedNumber(services.db, input.tracking_number)),

  noteUnmatched: writeProcedure
    .input(noteUnmatchedInput)
    .mutation(({ ctx: { services, actor }, input }) => setUnmatchedNote(services.db, actor, input)),
});
