import { DateTime } from 'luxon';
import { decodeCursor, encodeCursor, isInstant, notACursor } from '../../core/cursor';
import { NEW_YORK } from '../../core/time';
import type { OrderFilter } from './schema';

/** Conditions on orders `o` with their values, `$1` first. */
export interface OrderConditions {
  conditions: string[];
  values: unknown[];
}

/** Orders that a search has found, their shops and ids in two lists of one length. */
export interface FoundOrders {
  shopIds: number[];
  orderIds: string[];
}

/** What LIKE takes for a pattern is meant as it is written. */
const escapeLike = (text: string) => text.replace(/[\\%_]/g, (letter) => `\\${letter}`);

/** Shortest word that the trigram index finds. */
const SHORTEST_WORD = 3;

function startOfDay(day: string, plusDays = 0): Date {
  return DateTime.fromISO(day, { zone: NEW_YORK }).plus({ days: plusDays }).toJSDate();
}

/**
 * What a filter means in SQL.
 *
 * @param found the orders that the filter's text finds, where they are known
 */
export function orderConditions(filter: OrderFilter, found: FoundOrders | null): OrderConditions {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;

  if (filter.shops?.length) conditions.push(`o.shop_id = ANY(${value(filter.shops)}::int[])`);
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
      `(o.import_id = ${id}::bigint OR (o.shop_id, o.id) IN (
        SELECT shop_id, order_id FROM import_changes WHERE import_id = ${id}::bigint))`,
    );
  }
  // Shorter than the index can help with, a word can only be the beginning of a receipt's number.
  for (const word of wordsOf(filter.text).filter((each) => each.length < SHORTEST_WORD))
    conditions.push(`o.receipt_id LIKE ${value(`${escapeLike(word)}%`)}`);
  const patterns = searchPatterns(filter.text);
  if (found)
    conditions.push(
      `(o.shop_id, o.id) IN (SELECT * FROM unnest(${value(found.shopIds)}::int[], ${value(found.orderIds)}::bigint[]))`,
    );
  else if (patterns.length > 0)
    conditions.push(`(o.shop_id, o.id) IN (${matchStatement(patterns.map((each) => value(each)))})`);
  return { conditions, values };
}

/**
 * The orders whose documents match all of the patterns, which `places` hold. All in one question: the rarest word decides what is
 * read, not each by itself.
 */
export const matchStatement = (places: readonly string[]) =>
  `SELECT shop_id, order_id FROM order_search WHERE ${places.map((place) => `document LIKE ${place}`).join(' AND ')}`;

/** What a search looks for in the documents: a pattern for each word that the index can help with. */
export const searchPatterns = (text: string | undefined): string[] =>
  wordsOf(text)
    .filter((each) => each.length >= SHORTEST_WORD)
    .map((word) => `%${escapeLike(word)}%`);

/** The words of a search, as the document has them: in lower case, a receipt without its leading #. */
function wordsOf(text: string | undefined): string[] {
  const words = (text ?? '').toLowerCase().replaceAll('\u0000', '').split(/\s+/);
  return words.map((word) => word.replace(/^#/, '')).filter((word) => word !== '');
}

/** Where a page of the list ended: the last order's date of sale, null for none, and its id. */
export interface OrderPosition {
  saleDate: string | null;
  id: string;
}

const CURSOR = 'orders';

export const encodeOrderCursor = ({ saleDate, id }: OrderPosition) =>
  encodeCursor(CURSOR, [saleDate ?? '', id]);

/** @throws ServiceError `validation_failed` where it is no cursor of this list */
export function decodeOrderCursor(cursor: string): OrderPosition {
  const [saleDate, id] = decodeCursor(cursor, CURSOR, [/^/, /^\d{1,18}$/]) as [string, string];
  if (saleDate !== '' && !isInstant(saleDate)) throw notACursor();
  return { saleDate: saleDate === '' ? null : saleDate, id };
}

/** The condition that orders come after the position, newest first or oldest first; without a date of sale they are the newest. */
export function afterCursor(
  position: OrderPosition,
  direction: 'newest' | 'oldest',
  values: unknown[],
): string {
  const id = `$${values.push(position.id)}::bigint`;
  if (position.saleDate === null) {
    return direction === 'newest'
      ? `((o.sale_date IS NULL AND o.id < ${id}) OR o.sale_date IS NOT NULL)`
      : `(o.sale_date IS NULL AND o.id > ${id})`;
  }
  const date = `$${values.push(position.saleDate)}::timestamptz`;
  return direction === 'newest'
    ? `(o.sale_date, o.id) < (${date}, ${id})`
    : `((o.sale_date, o.id) > (${date}, ${id}) OR o.sale_date IS NULL)`;
}

/** Matches the indexes, which hold dates newest first and those without one before them. */
export const ORDER_BY = {
  newest: 'o.sale_date DESC, o.id DESC',
  oldest: 'o.sale_date ASC, o.id ASC',
} as const;
