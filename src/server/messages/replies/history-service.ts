import type { Prisma } from '../../../generated/prisma/client';
import type { Database } from '../../db/client';
import type { Usage } from '../text-provider';
import type { Warning } from '../warning';
import * as sql from './replies.queries';

/** Why a reply is written, and who asked for it. */
export interface ReplyCaller {
  kind: 'request' | 'trial' | 'draft' | 'translation';
  /** Null for users of the back office. */
  apiKeyId: number | null;
  /** The user's e-mail address. Null for calls with a key. */
  requestedBy: string | null;
  requestId: string;
}

/** A reply, or a failed attempt at one, as stored. */
export interface ReplyRecord extends ReplyCaller {
  shopName: string;
  /** Null for a translation. */
  promptVersionId: number | null;
  /** The shop and id of the stored order that has `orderNumber`; both are null if there is none. */
  shopId: number | null;
  orderId: string | null;
  /** The language of a translation. `buyer` stands for the buyer's own language, whichever it is. */
  language?: 'en' | 'zh' | 'buyer';
  orderNumber: string | null;
  buyerName: string | null;
  /** The conversation as received. */
  messages: unknown;
  /** The unknown members of the request, as received. */
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
}

/**
 * Stores a reply and returns its id. Stores nothing and returns null if the shop of its order was deleted while the reply was
 * being written, or if its shop is being deleted.
 */
export async function recordReply(db: Database, record: ReplyRecord): Promise<string | null> {
  const { usage, messages, extra, warnings, orderId, ...columns } = record;
  const { shopId, shopName } = record;
  return db.prisma.$transaction(async (tx) => {
    const shops = await sql.lockShopOfReply.runIn(tx, { shopId, shopName });
    if (shops.some((shop) => shop.deleting) || (shopId !== null && shops.length === 0)) return null;
    const { id } = await tx.reply.create({
      data: {
        ...columns,
        orderId: orderId === null ? null : BigInt(orderId),
        messages: messages as Prisma.InputJsonValue,
        extra: extra as Prisma.InputJsonValue,
        warnings: warnings as unknown as Prisma.InputJsonValue,
        inputTokens: usage?.inputTokens ?? null,
        outputTokens: usage?.outputTokens ?? null,
      },
      select: { id: true },
    });
    return String(id);
  });
}
