import { router } from '../trpc/init';
import { keyProcedure } from '../trpc/procedures';
import { storedMembersInput } from '../trpc/stored-members-input';
import { messageRequest, messageResponse } from './schema';
import { findUnknownMemberProblems, replyToBuyer } from './service';
import type { TextProvider } from './text-provider';
import { warningMessage } from './warning';

declare module '../trpc/context' {
  interface Services {
    /** Writes translations and replies to buyers. Null if no text provider is configured. */
    textProvider: TextProvider | null;
    /**
     * Tokens that replies may use per UTC day. The budget applies to each key that has none of its own, to all trials together,
     * and to all drafts and translations together.
     */
    replyTokensPerDay: number;
  }
}

export const messagesRouter = router({
  reply: keyProcedure
    .meta({
      effect: 'appends',
      acceptsIdempotencyKey: true,
      callsUpstream: true,
      usesTokenBudget: true,
      openapi: {
        method: 'POST',
        path: '/api/marketplace/message',
        operationId: 'post_api_marketplace_message',
        summary: 'Write a reply to a buyer',
        description:
          "Writes a reply with the shop's published prompt through the configured text provider. Facts of the order are added from the database. What the reply states is checked: order numbers, tracking numbers, dates, amounts, links and phone numbers that neither the database nor the prompt confirms are listed in `warnings`. The conversation confirms order and tracking numbers only. Each key has a token budget per UTC day; once it is used up, the response is 429 with Retry-After. Nothing is sent to the buyer. Every reply is recorded, together with additional members.",
        tags: ['Buyer messages'],
        successDescription: 'The reply, and what to check before it is sent',
      },
    })
    .input(storedMembersInput(messageRequest, findUnknownMemberProblems))
    .output(messageResponse)
    .mutation(async ({ ctx, input }) => {
      const { key, requestId } = ctx;
      const caller = { kind: 'request' as const, apiKeyId: key.id, requestedBy: null, requestId };
      const { reply, shopName, orderNumber, buyerName, model, usage, warnings } = await replyToBuyer(
        ctx.services,
        caller,
        input,
      );
      return {
        success: true as const,
        data: {
          reply,
          shop_name: shopName,
          order_number: orderNumber,
          buyer_name: buyerName,
          model,
          usage: usage && { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
          warnings: warnings.map(({ kind, value, reason }) => ({
            kind,
            value,
            message: warningMessage({ kind, value, reason }),
          })),
        },
      };
    }),
});
