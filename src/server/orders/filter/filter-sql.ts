import { plusDays } from '../../core/days';
import { decodeCursor, encodeCursor, invalidCursorError, isInstant } from '../../core/lists/cursor';
import { startOfNewYorkDay } from '../../core/time';
import { OPEN_BY_RECORDS } from '../../queues/entry-service';
import type { OrderQueue } from '../../queues/queue';
import type { OrderFilter } from './schema';
import { caseVariantsOf, MIN_WORD_LENGTH, readSearchText } from './search-text';

/** SQL conditions on `orders o`, and the values of their parameters. */
export interface OrderConditions {
  conditions: string[];
  values: unknown[];
}

/** Returns a WHERE clause with all conditions, or an empty string if there are none. */
export const whereAll = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';

/** The shops and ids of orders, in two lists of equal length. */
interface OrderKeys {
  shopIds: number[];
  orderIds: string[];
}

/**
 * Returns the condition that a column has one of the shops. A single shop is compared with `=`: with `ANY`, PostgreSQL does not use
 * the order of an index that begins with the shop, and could read the orders of all shops by date to find those of a small one.
 */
export const shopsSql = (
  columnSql: string,
  shops: readonly number[],
  addValue: (value: unknown) => string,
): string =>
  shops.length === 1
    ? `${columnSql} = ${addValue(shops[0])}::int`
    : `${columnSql} = ANY(${addValue(shops)}::int[])`;

/** Escapes LIKE's wildcards and its escape character. */
const escapeLike = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`);

export interface ConditionOptions {
  /** The orders that match the filter's text, if known. */
  matches: OrderKeys | null;
  /** The words that must all occur; empty if `matches` already has the orders with the searched numbers. */
  words?: readonly string[];
  /** The filter's queue entries that are open because of carriers' reports, which {@link OPEN_BY_RECORDS} does not match. */
  openDueToReports?: OrderKeys | null;
  /** Whether only `openDueToReports` matches, and not the entries that are open by the shops' records. */
  usesOnlyReports?: boolean;
  /** The id of the shop of the filter's import. If it is missing, a filter by import matches no order. */
  importShopId?: number | null;
  /**
   * Whether the statement reads all matching orders. The entries of the filter's queue are then selected once, up front, because
   * a cluster cannot run a subquery of several tables beside the statement's outer joins (docs/distribution.md).
   */
  readsAll?: boolean;
  /**
   * Whether the statement reads a page by date. Words are then checked order by order, unless `matches` is known or the filter
   * names shops.
   */
  readsPage?: boolean;
  /** The statement's values so far; the filter's values are appended. */
  values?: unknown[];
}

/** Returns a filter as SQL conditions. */
export function toOrderConditions(filter: OrderFilter, options: ConditionOptions): OrderConditions {
  const {
    matches,
    words = readSearchText(filter.text).words,
    openDueToReports = null,
    usesOnlyReports,
    importShopId,
    readsAll,
    readsPage,
    values = [],
  } = options;
  const conditions: string[] = [];
  const addValue = (value: unknown) => `$${values.push(value)}`;
  const ordersStatement = ({ shopIds, orderIds }: OrderKeys) =>
    `SELECT * FROM unnest(${addValue(shopIds)}::int[], ${addValue(orderIds)}::bigint[])`;

  if (filter.ids) conditions.push(`o.id = ANY(${addValue(filter.ids)}::bigint[])`);
  if (filter.shops?.length) conditions.push(shopsSql('o.shop_id', filter.shops, addValue));
  if (filter.statuses?.length)
    conditions.push(`o.status = ANY(${addValue(filter.statuses)}::order_status[])`);
  if (filter.tracking?.length) {
    const statuses = filter.tracking.filter((status) => status !== 'none');
    const alternatives: string[] = [];
    if (statuses.length > 0)
      alternatives.push(`o.tracking_status = ANY(${addValue(statuses)}::tracking_status[])`);
    if (statuses.length < filter.tracking.length) alternatives.push('o.tracking_status IS NULL');
    conditions.push(`(${alternatives.join(' OR ')})`);
  }
  if (filter.sold_from) conditions.push(`o.sale_date >= ${addValue(startOfNewYorkDay(filter.sold_from))}`);
  if (filter.sold_to)
    conditions.push(`o.sale_date < ${addValue(startOfNewYorkDay(plusDays(filter.sold_to, 1)))}`);
  if (filter.countries?.length) {
    const countryCodes = filter.countries.filter((code) => code !== '--');
    const alternatives: string[] = [];
    if (countryCodes.length > 0)
      alternatives.push(`o.country_code = ANY(${addValue(countryCodes)}::bpchar[])`);
    if (countryCodes.length < filter.countries.length)
      alternatives.push('(o.country_code IS NULL AND o.country_name IS NOT NULL)');
    conditions.push(`(${alternatives.join(' OR ')})`);
  }
  if (filter.unshipped_days !== undefined) {
    conditions.push(
      `o.status = 'paid' AND o.sale_date < now() - make_interval(days => ${addValue(filter.unshipped_days)}::int)`,
    );
  }
  if (filter.import_id) {
    const importIdSql = addValue(filter.import_id);
    // Each part of this condition names the shop, because the indexes start with it.
    const shopIdSql = `${addValue(importShopId ?? 0)}::int`;
    const touchedOrdersStatement = (table: string) =>
      `SELECT order_id FROM ${table} WHERE shop_id = ${shopIdSql} AND import_id = ${importIdSql}::bigint`;
    conditions.push(
      `o.shop_id = ${shopIdSql} AND (o.import_id = ${importIdSql}::bigint OR o.id IN (
        ${['import_changes', 'order_items', 'shipments'].map(touchedOrdersStatement).join(' UNION ALL ')}))`,
    );
  }
  if (filter.queue) {
    const statements = [
      ...(usesOnlyReports ? [] : [openEntriesStatement(filter.queue, filter.shops, addValue)]),
      ...(openDueToReports ? [ordersStatement(openDueToReports)] : []),
    ];
    const entriesSql = statements.join(' UNION ALL ');
    conditions.push(
      readsAll
        ? `(o.shop_id, o.id) IN (WITH open_entry AS MATERIALIZED (${entriesSql}) SELECT shop_id, order_id FROM open_entry)`
        : `(o.shop_id, o.id) IN (${entriesSql})`,
    );
  }
  const patterns = searchPatterns(words);
  // If all words are too short for the trigram index, they can only match the beginning of an order number. The index of order
  // numbers has the letters as they were written, and cannot be used for ILIKE or LIKE ANY.
  if (patterns.length === 0)
    for (const word of words) {
      const alternatives = caseVariantsOf(word).map(
        (variant) => `o.receipt_id LIKE ${addValue(`${escapeLike(variant)}%`)}`,
      );
      conditions.push(`(${alternatives.join(' OR ')})`);
    }
  if (matches) conditions.push(`(o.shop_id, o.id) IN (${ordersStatement(matches)})`);
  else if (patterns.length > 0) {
    const placeholders = patterns.map((pattern) => addValue(pattern));
    // With a filter by shop, checking orders one by one could take too long: perhaps no order of these shops contains the words.
    const checksOneByOne = readsPage && !filter.shops?.length;
    conditions.push(
      checksOneByOne
        ? orderMatchesSql(placeholders)
        : `(o.shop_id, o.id) IN (${searchStatement(placeholders)})`,
    );
  }
  return { conditions, values };
}

/**
 * Returns the statement for the entries of a queue that {@link OPEN_BY_RECORDS} matches. It names the filter's shops, because
 * PostgreSQL does not apply a condition on several shops of the orders to the entries.
 */
function openEntriesStatement(
  queue: OrderQueue,
  shops: OrderFilter['shops'],
  addValue: (value: unknown) => string,
): string {
  const conditions = [`queue = ${addValue(queue)}::queue`, OPEN_BY_RECORDS];
  if (shops?.length) conditions.push(shopsSql('shop_id', shops, addValue));
  return `SELECT shop_id, order_id FROM queue_records ${whereAll(conditions)}`;
}

/**
 * Returns the statement for the orders whose documents match all patterns, which are passed as placeholders. One query for all
 * patterns lets the rarest word limit what is read.
 */
export const searchStatement = (placeholders: readonly string[]) =>
  `SELECT shop_id, order_id FROM order_search WHERE ${documentMatchesSql(placeholders)}`;

const documentMatchesSql = (placeholders: readonly string[]) =>
  placeholders.map((placeholder) => `document LIKE ${placeholder}`).join(' AND ');

/**
 * Returns the condition that an order's document matches all patterns. Not a join, because the planner might read all documents
 * first.
 */
const orderMatchesSql = (placeholders: readonly string[]) =>
  `(SELECT ${documentMatchesSql(placeholders)} FROM order_search s WHERE s.shop_id = o.shop_id AND s.order_id = o.id)`;

/** Returns the patterns to search the documents for: one for each word, or none if all words are too short for the index. */
export const searchPatterns = (words: readonly string[]): string[] =>
  words.some((word) => word.length >= MIN_WORD_LENGTH) ? words.map((word) => `%${escapeLike(word)}%`) : [];

/** The position of the last order on a page: its sale date (null if it has none) and its id. */
export interface OrderPosition {
  saleDate: string | null;
  id: string;
}

const CURSOR_NAME = 'orders';

/** Returns the cursor for a position. A missing sale date becomes an empty string. */
export const encodeOrderCursor = ({ saleDate, id }: OrderPosition) =>
  encodeCursor(CURSOR_NAME, [saleDate ?? '', id]);

/** Returns the position of a cursor. @throws ServiceError `validation_failed` if it is not a cursor of this list */
export function decodeOrderCursor(cursor: string): OrderPosition {
  const [saleDate, id] = decodeCursor(cursor, CURSOR_NAME, [/^/, /^\d{1,18}$/]) as [string, string];
  if (saleDate !== '' && !isInstant(saleDate)) throw invalidCursorError();
  return { saleDate: saleDate === '' ? null : saleDate, id };
}

/**
 * Returns the condition for orders after the position, newest or oldest first. Orders without a sale date count as the newest.
 */
export function afterPositionSql(
  position: OrderPosition,
  direction: 'newest' | 'oldest',
  values: unknown[],
): string {
  const idSql = `$${values.push(position.id)}::bigint`;
  if (position.saleDate === null) {
    return direction === 'newest'
      ? `((o.sale_date IS NULL AND o.id < ${idSql}) OR o.sale_date IS NOT NULL)`
      : `(o.sale_date IS NULL AND o.id > ${idSql})`;
  }
  const saleDateSql = `$${values.push(position.saleDate)}::timestamptz`;
  return direction === 'newest'
    ? `(o.sale_date, o.id) < (${saleDateSql}, ${idSql})`
    : `((o.sale_date, o.id) > (${saleDateSql}, ${idSql}) OR o.sale_date IS NULL)`;
}

/** Matches the indexes, which have dates newest first and missing dates before them. */
export const ORDER_BY = {
  newest: 'o.sale_date DESC, o.id DESC',
  oldest: 'o.sale_date ASC, o.id ASC',
} as const;
