import type pg from 'pg';
import type { Prisma } from '../../generated/prisma/client';
import { type Actor, writeAuditEntry } from '../audit/service';
import { invalidField, notFound, validationError } from '../core/errors/errors';
import { createReason, problemAt } from '../core/errors/reason';
import type { Database } from '../db/client';
import * as sql from './countries.queries';
import { foldCountryName } from './match';

/** Longer than the usual `TRANSACTION_TIMEOUT_MS`, because a name may occur in very many orders. */
const TRANSACTION_OPTIONS = { timeout: 60_000, maxWait: 10_000 };

/** Returns all countries with their aliases, sorted by name. */
export async function listCountries(db: Database) {
  return db.prisma.country.findMany({
    select: {
      code: true,
      name: true,
      aliases: { select: { alias: true }, orderBy: { foldedAlias: 'asc' } },
    },
    orderBy: { name: 'asc' },
  });
}

/** Returns the country names in orders that match no country, most frequent first. */
export async function listUnmatchedCountries(db: Database, limit: number) {
  return sql.listUnmatchedCountries.run(db.pool, { limit });
}

/** Returns the codes of the countries that these names mean, in the same order; null for a name that means none. */
export async function findCountryCodes(
  connection: pg.PoolClient | Prisma.TransactionClient,
  names: readonly string[],
): Promise<(string | null)[]> {
  const parameters = { foldedNames: names.map(foldCountryName) };
  const rows =
    'query' in connection
      ? await sql.findCodes.run(connection, parameters)
      : await sql.findCodes.runIn(connection, parameters);
  return rows.map(({ code }) => code);
}

/** A country name as it occurs in the orders of one shop. */
type ShopCountryName = sql.ListCountryNamesRow;

/** Groups the names by shop, sorted by shop id: the order in which orders of several shops are always locked. */
function groupByShop(names: readonly ShopCountryName[]): [shopId: number, names: string[]][] {
  const namesByShop = new Map<number, string[]>();
  for (const { shop_id, country_name } of names) {
    const shopNames = namesByShop.get(shop_id);
    if (shopNames) shopNames.push(country_name);
    else namesByShop.set(shop_id, [country_name]);
  }
  return [...namesByShop].sort(([a], [b]) => a - b);
}

/**
 * Locks the orders in country `from` (null: no country) whose country_name is one of `names`, in the order of
 * their ids, as imports do.
 */
async function lockOrders(
  tx: Prisma.TransactionClient,
  names: readonly ShopCountryName[],
  from: string | null,
): Promise<void> {
  for (const [shopId, shopNames] of groupByShop(names))
    await sql.lockOrders.runIn(tx, { shopId, names: shopNames, from });
}

/**
 * Sets the country of the orders whose country_name is one of `names`. Lock them with lockOrders first.
 *
 * @param change changes orders from country `from` (null: no country) to `to`
 * @returns how many orders changed
 */
async function setCountry(
  tx: Prisma.TransactionClient,
  names: readonly ShopCountryName[],
  change: { from: string | null; to: string | null },
): Promise<number> {
  let changedOrderCount = 0;
  for (const [shopId, shopNames] of groupByShop(names))
    changedOrderCount += (await sql.setCountry.runIn(tx, { shopId, names: shopNames, ...change })).length;
  return changedOrderCount;
}

/** Serializes changes to aliases, so that no two of them give the same name different meanings. */
async function lockAliases(tx: Prisma.TransactionClient): Promise<void> {
  await sql.lockAliases.runIn(tx);
}

/**
 * Adds an alias to a country, and sets that country on all orders that have this country name and no country.
 *
 * @returns how many orders were matched
 * @throws ServiceError `not_found`; `validation_failed` if the folded alias is empty, or if the alias already means a country,
 * which the error names
 */
export async function addAlias(
  db: Database,
  actor: Actor,
  input: { code: string; alias: string },
): Promise<number> {
  const foldedAlias = foldCountryName(input.alias);
  if (foldedAlias === '') throw invalidField('alias', createReason('country.letters'));
  return db.prisma.$transaction(async (tx) => {
    await lockAliases(tx);
    const country = await tx.country.findUnique({ where: { code: input.code } });
    if (!country) throw notFound(createReason('answer.noCountry', { code: input.code }));
    const [existingCode] = await findCountryCodes(tx, [input.alias]);
    if (existingCode) {
      const { name } = await tx.country.findUniqueOrThrow({ where: { code: existingCode } });
      throw validationError([
        problemAt('alias', createReason('country.means', { country: `${name} (${existingCode})` })),
      ]);
    }
    await tx.countryAlias.create({
      data: { foldedAlias, alias: input.alias, countryCode: country.code },
    });
    const unmatchedNames = await sql.listUnmatchedNames.runIn(tx);
    const names = unmatchedNames.filter((row) => foldCountryName(row.country_name) === foldedAlias);
    await lockOrders(tx, names, null);
    const matchedOrderCount = await setCountry(tx, names, { from: null, to: country.code });
    await writeAuditEntry(tx, actor, {
      action: 'country.add_alias',
      recordType: 'country',
      recordId: country.code,
      after: { alias: input.alias, matched_orders: matchedOrderCount },
    });
    return matchedOrderCount;
  }, TRANSACTION_OPTIONS);
}

/**
 * Removes an alias. Orders that had the country only because of it lose the country, so that the name can become an alias of
 * another country.
 *
 * @returns how many orders lost their country
 * @throws ServiceError `not_found` if the country has no such alias
 */
export async function removeAlias(
  db: Database,
  actor: Actor,
  input: { code: string; alias: string },
): Promise<number> {
  const foldedAlias = foldCountryName(input.alias);
  return db.prisma.$transaction(async (tx) => {
    await lockAliases(tx);
    const storedAlias = await tx.countryAlias.findUnique({ where: { foldedAlias } });
    if (storedAlias?.countryCode !== input.code)
      throw notFound(createReason('answer.noAlias', { code: input.code }));
    await tx.countryAlias.delete({ where: { foldedAlias } });
    const matchedNames = await sql.listCountryNames.runIn(tx, { code: input.code });
    const names = matchedNames.filter((name) => foldCountryName(name.country_name) === foldedAlias);
    await lockOrders(tx, names, input.code);
    const unmatchedOrderCount = await setCountry(tx, names, { from: input.code, to: null });
    await writeAuditEntry(tx, actor, {
      action: 'country.remove_alias',
      recordType: 'country',
      recordId: input.code,
      before: { alias: storedAlias.alias },
      after: { unmatched_orders: unmatchedOrderCount },
    });
    return unmatchedOrderCount;
  }, TRANSACTION_OPTIONS);
}

/**
 * Sets the country of all orders that have none but whose country name now matches one, such as orders imported while an alias was
 * added.
 *
 * @returns how many orders were matched
 */
export async function rematchOrders(db: Database, actor: Actor): Promise<number> {
  return db.prisma.$transaction(async (tx) => {
    await lockAliases(tx);
    const unmatchedNames = await sql.listUnmatchedNames.runIn(tx);
    const codes = await findCountryCodes(
      tx,
      unmatchedNames.map((name) => name.country_name),
    );
    const namesByCode = new Map<string, ShopCountryName[]>();
    unmatchedNames.forEach((name, index) => {
      const code = codes[index];
      if (!code) return;
      const countryNames = namesByCode.get(code);
      if (countryNames) countryNames.push(name);
      else namesByCode.set(code, [name]);
    });
    let matchedOrderCount = 0;
    const matchedNames = [...namesByCode.values()].flat();
    // Locks all orders at once: locking them country by country would not follow the order that all transactions use.
    await lockOrders(tx, matchedNames, null);
    for (const [code, countryNames] of namesByCode)
      matchedOrderCount += await setCountry(tx, countryNames, { from: null, to: code });
    if (matchedOrderCount > 0) {
      await writeAuditEntry(tx, actor, {
        action: 'country.rematch',
        recordType: 'country',
        recordId: 'all',
        before: {
          names: [...new Set(matchedNames.map((name) => name.country_name))].slice(0, 200),
        },
        after: { matched_orders: matchedOrderCount },
      });
    }
    return matchedOrderCount;
  }, TRANSACTION_OPTIONS);
}
