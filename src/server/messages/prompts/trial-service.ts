import type { z } from 'zod';
import type { Actor } from '../../audit/audit';
import { writeAudit } from '../../audit/audit';
import { isServiceError, validationError } from '../../core/errors';
import { because, problemAt } from '../../core/reason';
import type { Database } from '../../db/client';
import { askedOf, type MessageServices, writeReply } from '../service';
import type { tryInput, tryOutput } from './schema';
import { promptOfName } from './service';

type Trials = z.output<typeof tryOutput>;
type Trial = NonNullable<Trials['live']>;

interface TriedPrompt {
  id: number;
  version: number;
  state: 'draft' | 'published';
  text: string;
}

/** The live version, and the newest draft if it is newer. */
const TRIED = `
SELECT DISTINCT ON (v.state) v.id, v.version, v.state, v.text
  FROM prompts p JOIN prompt_versions v ON v.prompt_id = p.id
 WHERE p.id = ${promptOfName('$1')} AND v.state IN ('draft', 'published')
   AND (v.state = 'published' OR v.version > coalesce((
     SELECT max(l.version) FROM prompt_versions l WHERE l.prompt_id = p.id AND l.state = 'published'), 0))
 ORDER BY v.state, v.version DESC`;

async function triedPrompts(db: Database, shopName: string): Promise<TriedPrompt[]> {
  const { rows } = await db.pool.query<TriedPrompt>(TRIED, [shopName]);
  if (rows.length === 0) throw validationError([problemAt('shop_name', because('prompt.none'))]);
  return rows;
}

/**
 * Replies to a conversation with the draft and with the live prompt of a shop, side by side, as the operation for replies
 * would. Nothing is sent. Each reply is recorded like any other, marked as a trial of the user who asked for it. If one of them
 * fails, its error is returned next to the other's reply.
 *
 * @throws ServiceError `validation_failed` if the shop has no prompt; `upstream_not_configured`
 */
export async function tryPrompts(
  services: MessageServices,
  actor: Actor & { requestId?: string },
  input: z.output<typeof tryInput>,
): Promise<Trials> {
  const asked = { ...askedOf(input), extra: { trial: { by: actor.name } } };
  const caller = { apiKeyId: null, requestId: actor.requestId ?? '' };
  const prompts = await triedPrompts(services.db, asked.shopName);
  await writeAudit(services.db.prisma, actor, {
    action: 'prompt.try',
    recordType: 'prompt',
    recordId: asked.shopName,
    after: { versions: prompts.map(({ version }) => version), order_number: asked.orderNumber },
  });
  const trials = await Promise.all(
    prompts.map(async ({ id, version, state, text }): Promise<[string, Trial]> => {
      const started = performance.now();
      try {
        const { reply, model, usage, warnings, durationMs } = await writeReply(services, caller, {
          ...asked,
          prompt: { id, text },
        });
        const tokens = usage && { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
        const trial = { reply, error: null, model, usage: tokens, duration_ms: durationMs, warnings };
        return [state, { id, version, ...trial }];
      } catch (error) {
        if (!isServiceError(error) || error.members.source !== 'text_provider') throw error;
        if (error.code === 'upstream_not_configured') throw error;
        const none = { reply: null, model: null, usage: null, warnings: [] };
        const duration_ms = Math.round(performance.now() - started);
        return [state, { id, version, ...none, error: error.reason, duration_ms }];
      }
    }),
  );
  const byState = new Map(trials);
  return { draft: byState.get('draft') ?? null, live: byState.get('published') ?? null };
}
