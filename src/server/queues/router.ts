import { router } from '../trpc/init';
import { personProcedure } from '../trpc/procedures';
import { assignEntries, handleEntries, putBackEntries, snoozeEntries } from './change-service';
import {
  assignInput,
  entriesOutput,
  handleInput,
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
import { countQueues, listEntries, listPeople } from './service';
import { readUnmatched, setUnmatchedNote } from './unmatched-service';

const readProcedure = personProcedure('orders.read');
const listProcedure = personProcedure('orders.read', { fromReplica: true });
const writeProcedure = personProcedure('orders.write');

/** The work queues of the back office. */
export const queueRouter = router({
  counts: listProcedure
    .input(queueCountsInput)
    .output(queueCountsOutput)
    .query(({ ctx: { services, person }, input }) =>
      countQueues(services.db, { ...input, userId: person.userId }),
    ),

  list: listProcedure
    .input(queueListInput)
    .output(queueListOutput)
    .query(({ ctx: { services, person }, input }) => listEntries(services.db, input, person.userId)),

  people: readProcedure
    .output(queuePeopleOutput)
    .query(({ ctx: { services, person } }) => listPeople(services.db, person.userId)),

  handle: writeProcedure
    .input(handleInput)
    .output(entriesOutput)
    .mutation(({ ctx: { services, actor, person }, input }) =>
      handleEntries(services.db, { ...actor, id: person.userId }, input),
    ),

  snooze: writeProcedure
    .input(snoozeInput)
    .output(entriesOutput)
    .mutation(({ ctx: { services, actor, person }, input }) =>
      snoozeEntries(services.db, { ...actor, id: person.userId }, input, services.now()),
    ),

  assign: writeProcedure
    .input(assignInput)
    .output(entriesOutput)
    .mutation(({ ctx: { services, actor }, input }) => {
      const { user_id: userId, ...work } = input;
      return assignEntries(services.db, actor, { ...work, userId });
    }),

  putBack: writeProcedure
    .input(putBackInput)
    .output(entriesOutput)
    .mutation(({ ctx: { services, actor }, input }) => putBackEntries(services.db, actor, input)),

  unmatched: readProcedure
    .input(unmatchedInput)
    .output(unmatchedOutput)
    .query(({ ctx: { services }, input }) => readUnmatched(services.db, input.tracking_number)),

  noteUnmatched: writeProcedure
    .input(noteUnmatchedInput)
    .mutation(({ ctx: { services, actor }, input }) => setUnmatchedNote(services.db, actor, input)),
});
