import type { z } from 'zod';
import { csvFileInput, csvFileOutput } from '../core/fields';
import { readCsvFile } from '../core/text/table';
import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import { findMissingDays, listKnownShops } from './calendar-service';
import { type ComparedSums, compareSums } from './comparison-service';
import {
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
import { previewDays } from './import/preview-service';
import { importDaysInput, importDaysOutput, previewDaysOutput } from './import/schema';
import { importDays } from './import/service';
import { listRestatements } from './restatement-service';
import { type AllSeries, findTopListings, readListingTitles, readSeries } from './series-service';
import { LISTING_TABLE, SHOP_TABLE } from './tables';

const readProcedure = userProcedure('statistics.read');
const listProcedure = userProcedure('statistics.read', { fromReplica: true });
/** A procedure that accepts a CSV file or its text. */
const csvProcedure = userProcedure('statistics.write', { bodyLimit: 'csv' });

/** Adds the comparison to the sums. */
const withComparison = (
  { together, by_currency, without_currency }: Omit<AllSeries, 'by_id'>,
  comparedSums: ReadonlyMap<string | null, ComparedSums>,
) => ({
  together: { ...together, compared: comparedSums.get(null) ?? null },
  by_currency: by_currency.map((sums) => ({ ...sums, compared: comparedSums.get(sums.currency) ?? null })),
  without_currency,
});

/** The stored days of shops and listings, for users. */
export const dayRouter = router({
  knownShops: readProcedure
    .output(knownShopsOutput)
    .query(({ ctx: { services } }) => listKnownShops(services.db)),

  shopDays: listProcedure
    .input(shopDaysInput)
    .output(shopDaysOutput)
    .query(
      async ({ ctx: { services }, input }) =>
        (await listDays(services.db, SHOP_TABLE, input)) as z.output<typeof shopDaysOutput>,
    ),

  listingDays: listProcedure
    .input(listingDaysInput)
    .output(listingDaysOutput)
    .query(
      async ({ ctx: { services }, input }) =>
        (await listDays(services.db, LISTING_TABLE, input)) as z.output<typeof listingDaysOutput>,
    ),

  shopSeries: listProcedure
    .input(shopSeriesInput)
    .output(shopSeriesOutput)
    .query(async ({ ctx: { services }, input }) => {
      const [{ by_id, ...sums }, comparedSums] = await Promise.all([
        readSeries(services.db, SHOP_TABLE, 'shop_id', input),
        compareSums(services.db, SHOP_TABLE, input, services.now()),
      ]);
      const shops = by_id.map(({ id, ...series }) => ({ shop_id: id, ...series }));
      return { ...withComparison(sums, comparedSums), shops } as unknown as z.output<typeof shopSeriesOutput>;
    }),

  listingSeries: listProcedure
    .input(listingSeriesInput)
    .output(listingSeriesOutput)
    .query(async ({ ctx: { services }, input }) => {
      const [{ by_id, ...sums }, comparedSums, titles] = await Promise.all([
        readSeries(services.db, LISTING_TABLE, 'listing_id', input),
        compareSums(services.db, LISTING_TABLE, input, services.now()),
        readListingTitles(services.db, input.listing_ids ?? []),
      ]);
      const listings = by_id.map(({ id, ...series }) => ({
        listing_id: id,
        title: titles.get(Number(id)) ?? null,
        ...series,
      }));
      return { ...withComparison(sums, comparedSums), listings } as unknown as z.output<
        typeof listingSeriesOutput
      >;
    }),

  topListings: listProcedure
    .input(topListingsInput)
    .output(topListingsOutput)
    .query(
      async ({ ctx: { services }, input }) =>
        (await findTopListings(services.db, input)) as z.output<typeof topListingsOutput>,
    ),

  missingDays: listProcedure
    .input(missingDaysInput)
    .output(missingDaysOutput)
    .query(({ ctx: { services }, input }) => findMissingDays(services.db, input, new Date(services.now()))),

  restatements: listProcedure
    .input(restatementsInput)
    .output(restatementsOutput)
    .query(({ ctx: { services }, input }) => listRestatements(services.db, input)),

  /** Detects a file's encoding and returns its text for the import. Stores nothing. */
  readFile: csvProcedure
    .input(csvFileInput)
    .output(csvFileOutput)
    .mutation(({ input }) => readCsvFile(input.file)),

  /** A mutation because its input is too long for a URL; it stores nothing. */
  previewDays: csvProcedure
    .input(importDaysInput)
    .output(previewDaysOutput)
    .mutation(({ ctx: { services }, input }) => previewDays(services.db, input)),

  importDays: csvProcedure
    .input(importDaysInput)
    .output(importDaysOutput)
    .mutation(({ ctx: { services, actor, requireCallerAfterWait }, input }) =>
      importDays(services.db, actor, input, requireCallerAfterWait),
    ),
});
