import type { Prisma } from '../../../generated/prisma/client';
import type { Database } from '../../db/client';
import type { Warning } from '../schema';
import type { Usage } from '../text-provider';

/** A reply, or the attempt at one, as it is kept. */
export interface ReplyRecord {
  shopName: string;
  promptVersionId: number;
  orderNumber: string | null;
  buyerName: string | null;
  /** The conversation and the members without a field, as they came. */
  messages: unknown;
  extra: unknown;
  reply: string | null;
  model: string;
  /** `refused` where the model or a filter would not answer, `failed` where the provider did not do its work. */
  outcome: 'answered' | 'refused' | 'failed';
  /** A word of ours for what went wrong, never the provider's text. */
  error: string | null;
  warnings: readonly Warning[];
  usage: Usage | null;
  durationMs: number;
  apiKeyId: number | null;
  requestId: string;
}

/** Keeps a reply. */
export async function recordReply(db: Database, record: ReplyRecord): Promise<void> {
  const { usage, messages, extra, warnings, ...columns } = record;
  await db.prisma.reply.create({
    data: {
      ...columns,
      messages: messages as Prisma.InputJsonValue,
      extra: extra as Prisma.InputJsonValue,
      warnings: warnings as unknown as Prisma.InputJsonValue,
      inputTokens: usage?.inputTokens ?? null,
      outputTokens: usage?.outputTokens ?? null,
    },
  });
}
