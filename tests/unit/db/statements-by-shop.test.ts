import { expect, it } from 'vitest';
import { DISTRIBUTED_GROUPS } from '../../../src/server/db/distribution/tables';
import { readStatements } from '../../support/database/statements';

/** The tables that a cluster distributes by shop, and the views of them. */
const SHOP_TABLES = [
  ...DISTRIBUTED_GROUPS.find(({ by }) => by === 'shop')!.tables,
  'described_items',
  'queue_records',
];
/**
 * Matches a lock. A statement that writes may lock rows only if they are all on one shop's server, so locks are taken in separate
 * statements.
 */
const LOCK_PATTERN = /\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b|pg_advisory/;
const SHOP_TABLE_PATTERN = new RegExp(
  String.raw`\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(?:${SHOP_TABLES.join('|')})\b`,
);

/**
 * The statements that do not name a single shop: they find records whose shop is not known, work on the records of all shops, or
 * read orders of the shops in a list. All others that use the tables of shops name their shop.
 */
const CROSS_SHOP_STATEMENTS = [
  // Find records whose shop is not known.
  'audit.nameImports',
  'audit.nameOrders',
  'change.findNote',
  'shop-orders.findShopOfImport',
  'history.readImport',
  'query.findNewestOrder',
  'query.findOrder',
  'tracking-paste.findShopsOfReceipts',
  'shop-orders.findShopsOfOrders',
  // List and count across all shops.
  'countries.listCountryNames',
  'countries.listUnmatchedCountries',
  'countries.listUnmatchedNames',
  'drafts.listDrafts',
  'entries.countOpenOrders',
  'entries.describeOrders',
  'entries.findOpenOrders',
  'entries.listDismissedEntries',
  'entries.listEntries',
  'entries.listOrdersOfNumbers',
  'history.listImports',
  'metrics.readSearchBacklog',
  'notifications.describeOrders',
  'notifications.listFailedImports',
  'overview.countByCountry',
  'overview.countByTracking',
  'overview.countImportsWithWarnings',
  'overview.countToShip',
  'overview.listReports',
  'overview.listSales',
  'overview.readFirstSteps',
  'overview.listDestinations',
  'overview.sumReports',
  'overview.sumSales',
  'query.listNumbersOfReceipt',
  'queues.countHandledToday',
  'retention.listShops',
  'numbers.findByNumbers',
  'suggest.suggestNames',
  'shipments.countNumbersOfCarrier',
  'shipments.describeOrders',
  'shipments.findNextCarrier',
  'shipments.listCarriersOfNumbers',
  'shipments.listNumbersOfCarrier',
  'shipments.listOrdersOfNumber',
  'shared-numbers.listSharedNumbers',
  'shops.countOrders',
  'shops.listLastImports',
  'statistics.findListingTitle',
  'unmatched.findOrdersByNumbers',
  'unmatched.findOrdersWithoutNumber',
  // Read selected orders, given the list of their shops.
  'shipping.listPickItems',
  'shipping.listSlipItems',
  'shipping.listSlips',
  // Maintain the records of all shops.
  'carrier-queries.listSales',
  'drafts.deleteOldDrafts',
  'search.findWaitingShop',
];

it('every statement on the records of shops names a shop, except the listed ones', async () => {
  const statementsWithoutShop = (await readStatements()).filter(([, text]) => {
    const namesShop = /:shopId\b/.test(text) && !/:shopId::int IS NULL/.test(text);
    return SHOP_TABLE_PATTERN.test(text) && !namesShop;
  });
  expect(
    statementsWithoutShop.map(([name]) => name).sort(),
    'Give the statement its shop (:shopId), or add it to CROSS_SHOP_STATEMENTS',
  ).toEqual([...CROSS_SHOP_STATEMENTS].sort());
});

/** Matches a function of the current time inside COALESCE or CASE, which a cluster refuses in a statement that writes. */
const CONDITIONAL_TIME_PATTERN =
  /\b(?:coalesce\((?:[^()]|\([^()]*\))*|CASE\b(?:(?!\bEND\b)[\s\S])*)\b(?:now|(?:statement|clock|transaction)_timestamp)\(\)/i;

it('no statement that writes records of shops takes the current time inside COALESCE or CASE, which a cluster refuses', async () => {
  expect('SET at = coalesce(upper(b), now())').toMatch(CONDITIONAL_TIME_PATTERN);
  expect('SET at = CASE WHEN b THEN now() END').toMatch(CONDITIONAL_TIME_PATTERN);
  expect('SET a = coalesce(b, c), at = now()').not.toMatch(CONDITIONAL_TIME_PATTERN);
  const writingStatements = (await readStatements()).filter(
    ([, text]) => SHOP_TABLE_PATTERN.test(text) && /\b(?:INSERT INTO|DELETE FROM|UPDATE \w+ )/.test(text),
  );
  expect(
    writingStatements.filter(([, text]) => CONDITIONAL_TIME_PATTERN.test(text)).map(([name]) => name),
  ).toEqual([]);
});

it('locks on the records of shops are taken in statements that write nothing', async () => {
  const lockingStatements = (await readStatements()).filter(
    ([, text]) => LOCK_PATTERN.test(text) && SHOP_TABLE_PATTERN.test(text),
  );
  expect(lockingStatements.length).toBeGreaterThan(0);
  const writingStatements = lockingStatements.filter(([, text]) =>
    /\b(?:INSERT INTO|DELETE FROM|UPDATE \w+ )/.test(text.replace(/\bFOR (?:NO KEY )?UPDATE\b/g, '')),
  );
  expect(writingStatements.map(([name]) => name)).toEqual([]);
});
