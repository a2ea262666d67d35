import { type Actor, writeAudit } from '../audit/audit';
import { ServiceError, validationError } from '../core/errors';
import { because, problemAt } from '../core/reason';
import type { Database } from '../db/client';
import { foldCountryName } from './match';

type Transaction = Parameters<Parameters<Database['prisma']['$transaction']>[0]>[0];

/** Prisma ends a transaction after five seconds by itself; a name may stand in very many orders. */
const TRANSACTION = { timeout: 60_000, maxWait: 10_000 };

/** All countries with their aliases, by name. */
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

/** Names of orders that match no country, the most frequent first. */
export async function unmatchedCountries(db: Database, limit: number) {
  const { rows } = await db.pool.query<{ country_name: string; orders: number; last_order_at: Date }>(
    `SELECT country_name, count(*)::int AS orders, max(created_at) AS last_order_at
       FROM orders WHERE country_code IS NULL AND country_name IS NOT NULL
      GROUP BY country_name ORDER BY orders DESC, country_name LIMIT $1`,
    [limit],
  );
  return rows;
}

/** What names mean what: by folded name, by folded alias, and by code, as the import reads them (import-sql.ts). */
async function meanings(tx: Transaction) {
  const countries = await tx.country.findMany({ include: { aliases: true } });
  const byName = new Map(countries.map((country) => [country.foldedName, country]));
  const byCode = new Map(countries.map((country) => [country.code, country]));
  const byAlias = new Map(
    countries.flatMap((country) => country.aliases.map((alias) => [alias.foldedAlias, country] as const)),
  );
  return {
    byCode,
    of: (folded: string) =>
      byName.get(folded) ??
      (folded.length === 2 && folded !== 'na' ? byCode.get(folded.toUpperCase()) : undefined) ??
      byAlias.get(folded),
  };
}

/** Gives the orders that have one of the texts, and no country yet or this one, a country; by id, as imports lock them. */
async function setCountry(
  tx: Transaction,
  names: readonly string[],
  change: { from: string | null; to: string | null },
): Promise<number> {
  if (names.length === 0) return 0;
  return tx.$executeRaw`
    WITH meant AS (
      SELECT id FROM orders
       WHERE country_code IS NOT DISTINCT FROM ${change.from}::char(2) AND country_name = ANY(${[...names]})
       ORDER BY id FOR UPDATE
    ) UPDATE orders o SET country_code = ${change.to}, updated_at = now() FROM meant m WHERE o.id = m.id`;
}

/** The texts of orders with this country, or with none. */
async function namesOf(tx: Transaction, code: string | null): Promise<string[]> {
  // Written apart, as only IS NULL and = find their rows by the index.
  const rows =
    code === null
      ? await tx.$queryRaw<{ country_name: string }[]>`
          SELECT DISTINCT country_name FROM orders WHERE country_code IS NULL AND country_name IS NOT NULL`
      : await tx.$queryRaw<{ country_name: string }[]>`
          SELECT DISTINCT country_name FROM orders WHERE country_code = ${code} AND country_name IS NOT NULL`;
  return rows.map((row) => row.country_name);
}

/** Changes of the aliases wait for each other, so that no two say different things of one name. */
async function lockAliases(tx: Transaction): Promise<void> {
  await tx.$executeRaw`LOCK TABLE country_aliases IN SHARE ROW EXCLUSIVE MODE`;
}

/**
 * Adds an alias to a country, and gives the country to all orders without one whose name it is.
 *
 * @returns how many orders were matched
 * @throws ServiceError `not_found`; `validation_failed` where the alias means a country already, naming it
 */
export async function addAlias(
  db: Database,
  actor: Actor,
  input: { code: string; alias: string },
): Promise<number> {
  const folded = foldCountryName(input.alias);
  if (folded === '') throw validationError([problemAt('alias', because('country.letters'))]);
  return db.prisma.$transaction(async (tx) => {
    await lockAliases(tx);
    const known = await meanings(tx);
    const country = known.byCode.get(input.code);
    if (!country) throw new ServiceError('not_found', because('answer.noCountry', { code: input.code }));
    const other = known.of(folded);
    if (other)
      throw validationError([
        problemAt('alias', because('country.means', { country: `${other.name} (${other.code})` })),
      ]);
    await tx.countryAlias.create({
      data: { foldedAlias: folded, alias: input.alias, countryCode: country.code },
    });
    const names = (await namesOf(tx, null)).filter((name) => foldCountryName(name) === folded);
    const matched = await setCountry(tx, names, { from: null, to: country.code });
    await writeAudit(tx, actor, {
      action: 'country.add_alias',
      recordType: 'country',
      recordId: country.code,
      after: { alias: input.alias, matched_orders: matched },
    });
    return matched;
  }, TRANSACTION);
}

/**
 * Removes an alias. Orders that had the country by it alone have none again, so that another country can get the name.
 *
 * @returns how many orders lost their country
 * @throws ServiceError `not_found` where the country has no such alias
 */
export async function removeAlias(
  db: Database,
  actor: Actor,
  input: { code: string; alias: string },
): Promise<number> {
  const folded = foldCountryName(input.alias);
  return db.prisma.$transaction(async (tx) => {
    await lockAliases(tx);
    const stored = await tx.countryAlias.findUnique({ where: { foldedAlias: folded } });
    if (stored?.countryCode !== input.code)
      throw new ServiceError('not_found', because('answer.noAlias', { code: input.code }));
    await tx.countryAlias.delete({ where: { foldedAlias: folded } });
    const names = (await namesOf(tx, input.code)).filter((name) => foldCountryName(name) === folded);
    const unmatched = await setCountry(tx, names, { from: input.code, to: null });
    await writeAudit(tx, actor, {
      action: 'country.remove_alias',
      recordType: 'country',
      recordId: input.code,
      before: { alias: stored.alias },
      after: { unmatched_orders: unmatched },
    });
    return unmatched;
  }, TRANSACTION);
}

/**
 * Gives a country to all orders without one whose name means one by now: for those that were imported while an alias was added.
 *
 * @returns how many orders were matched
 */
export async function rematchOrders(db: Database, actor: Actor): Promise<number> {
  return db.prisma.$transaction(async (tx) => {
    await lockAliases(tx);
    const known = await meanings(tx);
    const names = new Map<string, string[]>();
    for (const name of await namesOf(tx, null)) {
      const code = known.of(foldCountryName(name))?.code;
      if (code) names.set(code, [...(names.get(code) ?? []), name]);
    }
    let matched = 0;
    // A statement a country, of which there are few.
    for (const [code, of] of names) matched += await setCountry(tx, of, { from: null, to: code });
    if (matched > 0) {
      await writeAudit(tx, actor, {
        action: 'country.rematch',
        recordType: 'country',
        recordId: 'all',
        before: { names: [...names.values()].flat().slice(0, 200) },
        after: { matched_orders: matched },
      });
    }
    return matched;
  }, TRANSACTION);
}
