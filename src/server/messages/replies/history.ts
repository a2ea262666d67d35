import type { Prisma } from '../../../generated/prisma/client';
import type { Database } from '../../db/client';
import type { Warning } from '../schema';
import type { Usage } from '../text-provider';

/** A reply, or a failed attempt at one, as stored. */
export interface ReplyRecord {
  shopName: string;
  promptVersionId: number;
  orderNumber: string | null;
  buyerName: string | null;
  /** The conversation and the unknown members of the request, as received. */
  messages: unknown;
  extra: unknown;
  reply: string | null;
  model: string;
  /** `refused` if the model or a filter declined to answer, `failed` if the provider failed. */
  outcome: 'answered' | 'refused' | 'failed';
  /** Our own code for the error, never the provider's text. */
  error: string | null;
  warnings: readonly Warning[];
  usage: Usage | null;
  durationMs: number;
  apiKeyId: number | null;
  requestId: string;
}

/** Stores a reply. */
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
