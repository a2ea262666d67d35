import { router } from '../../trpc/init';
import { personProcedure } from '../../trpc/procedures';
import { replyInput, replyListInput, replyListOutput, replyOutput } from './schema';
import { listReplies, readReply } from './view-service';

const readProcedure = personProcedure('messages.read');
const listProcedure = personProcedure('messages.read', { fromReplica: true });

/** The log of replies. It is read-only; writing a reply adds its entry. */
export const replyRouter = router({
  list: listProcedure
    .input(replyListInput)
    .output(replyListOutput)
    .query(({ ctx: { services, person }, input }) => listReplies(services.db, input, person.timeZone)),

  one: readProcedure
    .input(replyInput)
    .output(replyOutput)
    .query(({ ctx: { services }, input }) => readReply(services.db, input.id)),
});
