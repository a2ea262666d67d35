import type { z } from 'zod';
import { notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { RECORD_ID } from '../../core/id-text';
import { decodeTimeCursor, encodeTimeCursor } from '../../core/lists/cursor';
import { normaliseOrderNumber } from '../../core/text/order-number';
import { withIsoInstants } from '../../core/time';
import type { Database } from '../../db/client';
import { listNamesOfShop } from '../../shops/name-service';
import type { Warning } from '../warning';
import * as sql from './replies.queries';
import type { replyListInput, replyListOutput, replyOutput } from './schema';

type Query = z.output<typeof replyListInput>;
type ReplyList = z.output<typeof replyListOutput>;

/**
 * Returns a page of the log of replies, newest first.
 *
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listReplies(db: Database, query: Query, timeZone: string): Promise<ReplyList> {
  const shopNames = query.shop_name === undefined ? null : await listNamesOfShop(db, query.shop_name);
  const cursor = query.cursor === undefined ? null : decodeTimeCursor(query.cursor, RECORD_ID);
  const rows = await sql.listReplies.run(db.pool, {
    shopNames,
    outcome: query.outcome ?? null,
    orderNumber: query.order_number === undefined ? null : normaliseOrderNumber(query.order_number),
    warned: query.warned ?? null,
    kind: query.kind ?? null,
    sent: query.sent ?? null,
    from: query.from ?? null,
    to: query.to ?? null,
    timeZone,
    beforeAt: cursor?.at ?? null,
    beforeId: cursor?.id ?? null,
    limit: query.limit + 1,
  });
  const replies = rows.slice(0, query.limit);
  const lastReply = replies.at(-1);
  const next =
    rows.length > query.limit && lastReply
      ? encodeTimeCursor({ at: lastReply.created_at, id: lastReply.id })
      : null;
  return { replies: replies.map(withIsoInstants), next };
}

/**
 * Returns one reply, with the conversation and the prompt it was written with.
 *
 * @throws ServiceError `not_found`
 */
export async function readReply(db: Database, id: string): Promise<z.output<typeof replyOutput>> {
  const [reply] = await sql.readReply.run(db.pool, { id });
  if (!reply) throw notFound(createReason('answer.noReply'));
  return { ...withIsoInstants(reply), warnings: reply.warnings as Warning[] };
}
