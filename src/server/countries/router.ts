import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import {
  addAliasOutput,
  aliasInput,
  countriesOutput,
  removeAliasOutput,
  unmatchedCountriesInput,
  unmatchedCountriesOutput,
} from './schema';
import { addAlias, listCountries, listUnmatchedCountries, rematchOrders, removeAlias } from './service';

const readProcedure = userProcedure('orders.read');
const listProcedure = userProcedure('orders.read', { fromReplica: true });
const writeProcedure = userProcedure('shops.write');

/** Countries and the names that orders use for them. */
export const countryRouter = router({
  list: listProcedure.output(countriesOutput).query(async ({ ctx: { services } }) =>
    (await listCountries(services.db)).map(({ aliases, ...country }) => ({
      ...country,
      aliases: aliases.map(({ alias }) => alias),
    })),
  ),

  unmatched: readProcedure
    .input(unmatchedCountriesInput)
    .output(unmatchedCountriesOutput)
    .query(async ({ ctx: { services }, input }) =>
      (await listUnmatchedCountries(services.db, input.limit)).map((row) => ({
        ...row,
        last_order_at: row.last_order_at.toISOString(),
      })),
    ),

  addAlias: writeProcedure
    .input(aliasInput)
    .output(addAliasOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => ({
      matched_orders: await addAlias(services.db, actor, input),
    })),

  removeAlias: writeProcedure
    .input(aliasInput)
    .output(removeAliasOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => ({
      unmatched_orders: await removeAlias(services.db, actor, input),
    })),

  rematch: writeProcedure.output(addAliasOutput).mutation(async ({ ctx: { services, actor } }) => ({
    matched_orders: await rematchOrders(services.db, actor),
  })),
});
