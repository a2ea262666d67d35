import type { z } from 'zod';
import { decodeTimeCursor, encodeTimeCursor, instantText } from '../../core/cursor';
import { ServiceError } from '../../core/errors';
import { because } from '../../core/reason';
import { NEW_YORK } from '../../core/time';
import type { Database } from '../../db/client';
import { namesOfShop } from '../../shops/name-service';
import type { replyListInput, replyListOutput, replyOutput } from './schema';

type Query = z.output<typeof replyListInput>;
type ReplyList = z.output<typeof replyListOutput>;

/** Calls with a key may send a member of any name, so only replies without a key can be trials. */
const TRIAL = `(r.api_key_id IS NULL AND r.extra ? 'trial')`;

const LISTED = `
r.id::text, ${instantText('r.created_at')} AS created_at, r.shop_name, r.order_number, r.buyer_name, r.outcome, r.error,
r.model, v.version AS prompt_version, jsonb_array_length(r.warnings) AS warning_count, r.input_tokens, r.output_tokens,
r.duration_ms, k.name AS api_key, CASE WHEN ${TRIAL} THEN r.extra->'trial'->>'by' END AS trial_by`;

const JOINS = `
LEFT JOIN prompt_versions v ON v.id = r.prompt_version_id
LEFT JOIN api_keys k ON k.id = r.api_key_id`;

const REPLY_ID = /^[1-9]\d{0,17}$/;

/** @param shopNames every name of the shop in the query */
function conditionsOf(query: Query, shopNames: readonly string[] | null, values: unknown[]): string[] {
  const value = (given: unknown) => `$${values.push(given)}`;
  const midnight = (day: string) => `${day}::timestamp AT TIME ZONE '${NEW_YORK}'`;
  const conditions: string[] = [];
  if (shopNames) conditions.push(`r.shop_name = ANY(${value(shopNames)}::text[])`);
  if (query.outcome !== undefined) conditions.push(`r.outcome = ${value(query.outcome)}`);
  if (query.order_number !== undefined)
    conditions.push(`ltrim(btrim(r.order_number), '#') = ltrim(btrim(${value(query.order_number)}), '#')`);
  if (query.warned !== undefined)
    conditions.push(`(jsonb_array_length(r.warnings) > 0) = ${value(query.warned)}`);
  if (query.trial !== undefined) conditions.push(`${TRIAL} = ${value(query.trial)}`);
  if (query.from !== undefined) conditions.push(`r.created_at >= ${midnight(`${value(query.from)}::date`)}`);
  if (query.to !== undefined) conditions.push(`r.created_at < ${midnight(`(${value(query.to)}::date + 1)`)}`);
  if (query.cursor !== undefined) {
    const { at, id } = decodeTimeCursor(query.cursor, REPLY_ID);
    conditions.push(`(r.created_at, r.id) < (${value(at)}::timestamptz, ${value(id)}::bigint)`);
  }
  return conditions;
}

/**
 * Returns a page of the log of replies, newest first.
 *
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listReplies(db: Database, query: Query): Promise<ReplyList> {
  const values: unknown[] = [];
  const names = query.shop_name === undefined ? null : await namesOfShop(db, query.shop_name);
  const conditions = conditionsOf(query, names, values);
  const limit = `$${values.push(query.limit + 1)}`;
  const { rows } = await db.pool.query<ReplyList['replies'][number]>(
    `SELECT ${LISTED}, left(r.reply, 200) AS excerpt
       FROM (SELECT r.* FROM replies r ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
              ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}) r ${JOINS}
      ORDER BY r.created_at DESC, r.id DESC`,
    values,
  );
  const replies = rows.slice(0, query.limit);
  const last = replies.at(-1);
  const next =
    rows.length > query.limit && last ? encodeTimeCursor({ at: last.created_at, id: last.id }) : null;
  return { replies, next };
}

const ONE = `
SELECT ${LISTED}, r.reply, r.warnings, r.messages, r.extra, v.text AS prompt_text, r.prompt_version_id, r.request_id
  FROM replies r ${JOINS} WHERE r.id = $1`;

/**
 * Returns one reply, with the conversation and the prompt it was written from.
 *
 * @throws ServiceError `not_found`
 */
export async function readReply(db: Database, id: string): Promise<z.output<typeof replyOutput>> {
  const { rows } = await db.pool.query<z.output<typeof replyOutput>>(ONE, [id]);
  if (!rows[0]) throw new ServiceError('not_found', because('answer.noReply'));
  return rows[0];
}
