import { DateTime } from 'luxon';
import type pg from 'pg';
import { ServiceError } from '../core/errors';
import { NEW_YORK } from '../core/time';
import type { OrderFilter } from './order-list-schema';

/** Conditions on orders `o` with their values, `$1` first. */
export interface OrderConditions {
  conditions: string[];
  values: unknown[];
}

/** What LIKE takes for a pattern is meant as it is written. */
const escapeLike = (text: string) => text.replace(/[\\%_]/g, (letter) => `\\${letter}`);

/** As many found orders are sorted as a whole; of more, the newest are soon met when running through all. */
const MOST_FOUND = 20_000;
/** Shortest word that the trigram index finds. */
const SHORTEST_WORD = 3;

function startOfDay(day: string, plusDays = 0): Date {
  return DateTime.fromISO(day, { zone: NEW_YORK }).plus({ days: plusDays }).toJSDate();
}

/**
 * What the list's filter means in SQL. One place for the list, its count and its export, so that all show the same orders.
 * A text is looked up first.
 */
export async function orderConditions(pool: pg.Pool, filter: OrderFilter): Promise<OrderConditions> {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;

  if (filter.shops?.length) conditions.push(`o.account_id = ANY(${value(filter.shops)}::int[])`);
  if (filter.statuses?.length) conditions.push(`o.status = ANY(${value(filter.statuses)}::order_status[])`);
  if (filter.tracking?.length) {
    const known = filter.tracking.filter((status) => status !== 'none');
    const parts: string[] = [];
    if (known.length > 0) parts.push(`o.tracking_status = ANY(${value(known)}::tracking_status[])`);
    if (known.length < filter.tracking.length) parts.push('o.tracking_status IS NULL');
    conditions.push(`(${parts.join(' OR ')})`);
  }
  if (filter.sold_from) conditions.push(`o.sale_date >= ${value(startOfDay(filter.sold_from))}`);
  if (filter.sold_to) conditions.push(`o.sale_date < ${value(startOfDay(filter.sold_to, 1))}`);
  if (filter.countries?.length) {
    const codes = filter.countries.filter((code) => code !== '--');
    const parts: string[] = [];
    if (codes.length > 0) parts.push(`o.country_code = ANY(${value(codes)}::bpchar[])`);
    if (codes.length < filter.countries.length)
      parts.push('(o.country_code IS NULL AND o.country_name IS NOT NULL)');
    conditions.push(`(${parts.join(' OR ')})`);
  }
  if (filter.unshipped_days !== undefined) {
    conditions.push(
      `o.status = 'paid' AND o.sale_date < now() - make_interval(days => ${value(filter.unshipped_days)}::int)`,
    );
  }
  if (filter.import_id) {
    const id = value(filter.import_id);
    conditions.push(
      `(o.import_id = ${id}::bigint OR o.id IN (SELECT order_id FROM import_changes WHERE import_id = ${id}::bigint))`,
    );
  }
  const words = wordsOf(filter.text);
  // Shorter than the index can help with, a word can only be the beginning of a receipt's number.
  for (const word of words.filter((each) => each.length < SHORTEST_WORD))
    conditions.push(`o.receipt_id LIKE ${value(`${escapeLike(word)}%`)}`);
  const patterns = words
    .filter((each) => each.length >= SHORTEST_WORD)
    .map((word) => `%${escapeLike(word)}%`);
  if (patterns.length > 0) {
    const found = await findByWords(pool, patterns);
    conditions.push(
      found
        ? `o.id = ANY(${value(found)}::bigint[])`
        : `o.id IN (${matchStatement(patterns.map((pattern) => value(pattern)))})`,
    );
  }
  return { conditions, values };
}

/** All words in one question: the rarest decides what is read, not each by itself. */
const matchStatement = (patterns: readonly string[]) =>
  `SELECT order_id FROM order_search WHERE ${patterns.map((pattern) => `document LIKE ${pattern}`).join(' AND ')}`;

/**
 * The orders that have all of the words; null where there are very many. PostgreSQL knows little of how often a word occurs: left
 * to guess, it may run through all orders in their order for a word that a few old ones have.
 */
async function findByWords(pool: pg.Pool, patterns: readonly string[]): Promise<string[] | null> {
  const places = patterns.map((_, index) => `$${index + 1}`);
  const { rows } = await pool.query<{ order_id: string }>(
    `${matchStatement(places)} LIMIT ${MOST_FOUND + 1}`,
    [...patterns],
  );
  return rows.length > MOST_FOUND ? null : rows.map((row) => row.order_id);
}

/** The words of a search, as the document has them: in lower case, a receipt without its leading #. */
function wordsOf(text: string | undefined): string[] {
  const words = (text ?? '').toLowerCase().replaceAll('\u0000', '').split(/\s+/);
  return words.map((word) => word.replace(/^#/, '')).filter((word) => word !== '');
}

/** A place in the list: the last order's date of sale, null for none, and id. */
export interface OrderPlace {
  saleDate: string | null;
  id: string;
}

/** The place as the list hands it out. */
export const writePlace = ({ saleDate, id }: OrderPlace) => `${saleDate ?? ''}|${id}`;

/** @throws ServiceError `validation_failed` where it is no place that was handed out */
export function readPlace(text: string): OrderPlace {
  const [saleDate = '', id = ''] = text.split('|');
  const possible = saleDate === '' || /^\d{4}-\d\d-\d\dT[\d:.]{8,15}Z$/.test(saleDate);
  if (!possible || !/^\d{1,18}$/.test(id))
    throw new ServiceError(
      'validation_failed',
      'after: is no place in this list; begin with the first page.',
    );
  return { saleDate: saleDate === '' ? null : saleDate, id };
}

/** The condition that orders come after the place, newest first or oldest first; without a date of sale they are the newest. */
export function afterPlace(place: OrderPlace, direction: 'newest' | 'oldest', values: unknown[]): string {
  const id = `$${values.push(place.id)}::bigint`;
  if (place.saleDate === null) {
    return direction === 'newest'
      ? `((o.sale_date IS NULL AND o.id < ${id}) OR o.sale_date IS NOT NULL)`
      : `(o.sale_date IS NULL AND o.id > ${id})`;
  }
  const date = `$${values.push(place.saleDate)}::timestamptz`;
  return direction === 'newest'
    ? `(o.sale_date, o.id) < (${date}, ${id})`
    : `((o.sale_date, o.id) > (${date}, ${id}) OR o.sale_date IS NULL)`;
}

/** Matches the indexes, which hold dates newest first and those without one before them. */
export const ORDER_BY = {
  newest: 'o.sale_date DESC, o.id DESC',
  oldest: 'o.sale_date ASC, o.id ASC',
} as const;
