import type { z } from 'zod';
import { csvFileInput, csvFileOutput } from '../core/fields';
import { readCsvFile } from '../core/table';
import { router } from '../trpc/init';
import { personProcedure } from '../trpc/procedures';
import { knownShops, missingDays } from './calendar-service';
import {
  importDaysInput,
  importDaysOutput,
  knownShopsOutput,
  listingDaysInput,
  listingDaysOutput,
  listingSeriesInput,
  listingSeriesOutput,
  missingDaysInput,
  missingDaysOutput,
  restatementsInput,
  restatementsOutput,
  shopDaysInput,
  shopDaysOutput,
  shopSeriesInput,
  shopSeriesOutput,
  topListingsInput,
  topListingsOutput,
} from './day-schema';
import { listDays } from './days-service';
import { importDays } from './import-service';
import { listRestatements } from './restatement-service';
import { listingTitles, readSeries, topListings } from './series-service';
import { PRODUCT_TABLE, SHOP_TABLE } from './tables';

const reading = personProcedure('statistics.read');
/** Accepts a CSV file. */
const takingCsv = personProcedure('statistics.write', { bodyLimit: 'csv' });

/** The stored days of shops and listings, for users. */
export const dayRouter = router({
  knownShops: reading.output(knownShopsOutput).query(({ ctx: { services } }) => knownShops(services.db)),

  shopDays: reading
    .input(shopDaysInput)
    .output(shopDaysOutput)
    .query(
      async ({ ctx: { services }, input }) =>
        (await listDays(services.db, SHOP_TABLE, input)) as z.output<typeof shopDaysOutput>,
    ),

  listingDays: reading
    .input(listingDaysInput)
    .output(listingDaysOutput)
    .query(
      async ({ ctx: { services }, input }) =>
        (await listDays(services.db, PRODUCT_TABLE, input)) as z.output<typeof listingDaysOutput>,
    ),

  shopSeries: reading
    .input(shopSeriesInput)
    .output(shopSeriesOutput)
    .query(async ({ ctx: { services }, input }) => {
      const { each, ...sums } = await readSeries(services.db, SHOP_TABLE, 'shop_id', input);
      const shops = each.map(({ of, ...series }) => ({ shop_id: of, ...series }));
      return { ...sums, shops } as unknown as z.output<typeof shopSeriesOutput>;
    }),

  listingSeries: reading
    .input(listingSeriesInput)
    .output(listingSeriesOutput)
    .query(async ({ ctx: { services }, input }) => {
      const [{ each, ...sums }, titles] = await Promise.all([
        readSeries(services.db, PRODUCT_TABLE, 'listing_id', input),
        listingTitles(services.db, input.listing_ids ?? []),
      ]);
      const listings = each.map(({ of, ...series }) => ({
        listing_id: of,
        title: titles.get(Number(of)) ?? null,
        ...series,
      }));
      return { ...sums, listings } as unknown as z.output<typeof listingSeriesOutput>;
    }),

  topListings: reading
    .input(topListingsInput)
    .output(topListingsOutput)
    .query(
      async ({ ctx: { services }, input }) =>
        (await topListings(services.db, input)) as z.output<typeof topListingsOutput>,
    ),

  missingDays: reading
    .input(missingDaysInput)
    .output(missingDaysOutput)
    .query(({ ctx: { services }, input }) => missingDays(services.db, input, new Date(services.now()))),

  restatements: reading
    .input(restatementsInput)
    .output(restatementsOutput)
    .query(({ ctx: { services }, input }) => listRestatements(services.db, input)),

  /** Detects a file's encoding and returns its text for the import. Stores nothing. */
  readFile: takingCsv
    .input(csvFileInput)
    .output(csvFileOutput)
    .mutation(({ input }) => readCsvFile(input.file)),

  importDays: takingCsv
    .input(importDaysInput)
    .output(importDaysOutput)
    .mutation(({ ctx: { services, actor }, input }) => importDays(services.db, actor, input)),
});
