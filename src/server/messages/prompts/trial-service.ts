import type { z } from 'zod';
import type { Actor } from '../../audit/service';
import { writeAuditEntry } from '../../audit/service';
import { invalidField, isServiceError, type ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import type { MessageServices } from '../recorded-text-service';
import { toReplyRequest, writeReply } from '../service';
import * as sql from './prompts.queries';
import type { tryInput, tryOutput } from './schema';

type Trials = z.output<typeof tryOutput>;
type Trial = NonNullable<Trials['live']>;

interface PromptToTry {
  id: number;
  /** The current name of its shop, or the name under which it is waiting for one. */
  shopName: string;
  versions: sql.ListVersionsToTryRow[];
}

async function readPromptToTry(db: Database, shopName: string): Promise<PromptToTry> {
  const versions = await sql.listVersionsToTry.run(db.pool, { shopName });
  const [firstVersion] = versions;
  if (!firstVersion) throw invalidField('shop_name', createReason('prompt.none'));
  return { id: firstVersion.prompt_id, shopName: firstVersion.shop_name, versions };
}

/**
 * Replies to a conversation with the draft and the live version of a shop's prompt, whichever exist, just as the API's reply
 * operation would. Nothing is sent. Each reply is recorded like any other, as a trial by this user. If one of the two fails, its
 * error is returned next to the other's reply.
 *
 * @throws ServiceError `validation_failed` if the shop has no prompt; `rate_limited` if today's tokens for trials are used up or
 * reserved, so that there is no reply at all; `upstream_not_configured`
 */
export async function tryPrompts(
  services: MessageServices,
  actor: Actor & { requestId?: string },
  input: z.output<typeof tryInput>,
): Promise<Trials> {
  const request = toReplyRequest(input);
  const caller = {
    kind: 'trial' as const,
    apiKeyId: null,
    requestedBy: actor.name,
    requestId: actor.requestId ?? '',
  };
  const prompt = await readPromptToTry(services.db, request.shopName);
  await writeAuditEntry(services.db.prisma, actor, {
    action: 'prompt.try',
    recordType: 'prompt',
    recordId: prompt.id,
    after: {
      shop_name: prompt.shopName,
      versions: prompt.versions.map(({ version }) => version),
      order_number: request.orderNumber,
    },
  });
  const refusals: ServiceError[] = [];
  const trialsWithState = await Promise.all(
    prompt.versions.map(async ({ id, version, state, text }): Promise<[string, Trial]> => {
      const startMs = performance.now();
      try {
        const { reply, model, usage, warnings, durationMs } = await writeReply(services, caller, {
          ...request,
          promptVersion: { id, text },
        });
        const usageOutput = usage && { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
        const trial = { reply, error: null, model, usage: usageOutput, duration_ms: durationMs, warnings };
        return [state, { id, version, ...trial }];
      } catch (error) {
        if (!isServiceError(error) || error.code === 'upstream_not_configured') throw error;
        // The tokens that one of the two reserves can be the last of the budget.
        if (error.code === 'rate_limited') refusals.push(error);
        else if (error.members.source !== 'text_provider') throw error;
        const noReply = { reply: null, model: null, usage: null, warnings: [] };
        const duration_ms = Math.round(performance.now() - startMs);
        return [state, { id, version, ...noReply, error: error.reason, duration_ms }];
      }
    }),
  );
  if (refusals.length === prompt.versions.length) throw refusals[0]!;
  const trialByState = new Map(trialsWithState);
  return { draft: trialByState.get('draft') ?? null, live: trialByState.get('published') ?? null };
}
