import { router } from '../trpc/init';
import { personProcedure } from '../trpc/procedures';
import { assignEntries, handleEntries, putBackEntries, snoozeEntries } from './change-service';
import {
  assignInput,
  entriesOutput,
  handleInput,
  putBackInput,
  queueCountsInput,
  queueCountsOutput,
  queueListInput,
  queueListOutput,
  queuePeopleOutput,
  snoozeInput,
} from './schema';
import { countQueues, listEntries, listPeople } from './service';

const reading = personProcedure('orders.read');
const writing = personProcedure('orders.write');

/** The work queues of the back office. */
export const queueRouter = router({
  counts: reading
    .input(queueCountsInput)
    .output(queueCountsOutput)
    .query(({ ctx: { services, person }, input }) =>
      countQueues(services.db, { ...input, userId: person.userId }),
    ),

  list: reading
    .input(queueListInput)
    .output(queueListOutput)
    .query(({ ctx: { services, person }, input }) => listEntries(services.db, input, person.userId)),

  people: reading
    .output(queuePeopleOutput)
    .query(({ ctx: { services, person } }) => listPeople(services.db, person.userId)),

  handle: writing
    .input(handleInput)
    .output(entriesOutput)
    .mutation(({ ctx: { services, actor, person }, input }) =>
      handleEntries(services.db, { ...actor, id: person.userId }, input),
    ),

  snooze: writing
    .input(snoozeInput)
    .output(entriesOutput)
    .mutation(({ ctx: { services, actor, person }, input }) =>
      snoozeEntries(services.db, { ...actor, id: person.userId }, input, services.now()),
    ),

  assign: writing
    .input(assignInput)
    .output(entriesOutput)
    .mutation(({ ctx: { services, actor }, input }) => {
      const { user_id: userId, ...work } = input;
      return assignEntries(services.db, actor, { ...work, userId });
    }),

  putBack: writing
    .input(putBackInput)
    .output(entriesOutput)
    .mutation(({ ctx: { services, actor }, input }) => putBackEntries(services.db, actor, input)),
});
