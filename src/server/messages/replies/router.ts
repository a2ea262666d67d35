import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { replyInput, replyListInput, replyListOutput, replyOutput } from './schema';
import { listReplies, readReply } from './view-service';

const readProcedure = userProcedure('messages.read');
const listProcedure = userProcedure('messages.read', { fromReplica: true });

/** The log of replies. These procedures only read it. */
export const replyRouter = router({
  list: listProcedure
    .input(replyListInput)
    .output(replyListOutput)
    .query(({ ctx: { services, user }, input }) => listReplies(services.db, input, user.timeZone)),

  one: readProcedure
    .input(replyInput)
    .output(replyOutput)
    .query(({ ctx: { services }, input }) => readReply(services.db, input.id)),
});
