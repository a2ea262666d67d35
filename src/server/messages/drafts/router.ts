import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { readBuyer } from './buyer-service';
import {
  buyerOutput,
  markManySentInput,
  markManySentOutput,
  markSentInput,
  orderDraftsInput,
  orderDraftsOutput,
  translateMessageInput,
  translateReplyInput,
  translationOutput,
  writeDraftInput,
  writeDraftOutput,
} from './schema';
import { listRepliesOfOrder, markManySent, markSent, writeDraft } from './service';
import { translateMessage, translateReply } from './translation-service';

const readProcedure = userProcedure('messages.read');
const writeProcedure = userProcedure('messages.write');

/** Replies to the buyers of orders: drafts, their translations, and what was sent. */
export const replyDraftRouter = router({
  ofOrder: readProcedure
    .input(orderDraftsInput)
    .output(orderDraftsOutput)
    .query(({ ctx: { services }, input }) => listRepliesOfOrder(services.db, input.order_id)),

  buyer: readProcedure
    .input(orderDraftsInput)
    .output(buyerOutput)
    .query(({ ctx: { services }, input }) => readBuyer(services.db, input.order_id)),

  write: writeProcedure
    .input(writeDraftInput)
    .output(writeDraftOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => ({
      id: await writeDraft(services, actor, input),
    })),

  translateMessage: writeProcedure
    .input(translateMessageInput)
    .output(translationOutput)
    .mutation(({ ctx: { services, actor }, input }) => translateMessage(services, actor, input)),

  translateReply: writeProcedure
    .input(translateReplyInput)
    .output(translationOutput)
    .mutation(({ ctx: { services, actor }, input }) => translateReply(services, actor, input)),

  markSent: writeProcedure
    .input(markSentInput)
    .mutation(({ ctx: { services, actor }, input }) => markSent(services.db, actor, input)),

  markManySent: writeProcedure
    .input(markManySentInput)
    .output(markManySentOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => ({
      changed: await markManySent(services.db, actor, input),
    })),
});
