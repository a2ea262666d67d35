import { plusDays } from '../core/days';
import { compare, compareIfAny, periodOf } from '../core/period';
import { startOfNewYorkDay } from '../core/time';
import type { Database } from '../db/client';
import * as sql from './overview.queries';
import type { Deliveries, OverviewInput } from './schema';

/** The maximum number of countries that are listed. */
const MAX_COUNTRIES = 8;
/** Enough for a median; a year may have a million deliveries. */
const MAX_DELIVERIES = 2_000;

/**
 * Returns the most frequent destination countries of the orders in a range of New York days, and the delivery times of the latest
 * deliveries, compared with the period before. Reads orders and shipments instead of daily sums.
 */
export async function readDeliveries(db: Database, input: OverviewInput, now: number): Promise<Deliveries> {
  const shopIds = input.shops?.length ? input.shops : null;
  const { from, to, dayCount, today } = periodOf(input, now);
  const [start, end] = [startOfNewYorkDay(from), startOfNewYorkDay(plusDays(to, 1))];
  const beforeStart = startOfNewYorkDay(plusDays(from, -dayCount));
  const counterpartOfToday = plusDays(today, -dayCount);
  const [countries, timedDeliveries, previousTimedDeliveries] = await Promise.all([
    sql.countByCountry.run(db.pool, {
      shopIds,
      start,
      end,
      today: startOfNewYorkDay(today),
      beforeStart,
      beforeEnd: startOfNewYorkDay(counterpartOfToday < from ? counterpartOfToday : from),
      limit: MAX_COUNTRIES,
    }),
    readDeliveryTimes(db, { shopIds, start, end }),
    readDeliveryTimes(db, { shopIds, start: beforeStart, end: start }),
  ]);
  const figuresOf = (country: string | null) => {
    const deliveryDays = deliveryDaysOf(timedDeliveries, country);
    const median = medianOf(deliveryDays);
    return {
      time: compareIfAny(median, median, medianOf(deliveryDaysOf(previousTimedDeliveries, country))),
      deliveries: deliveryDays.length,
    };
  };
  return {
    ...figuresOf(null),
    max_deliveries: MAX_DELIVERIES,
    countries: countries.map(({ country, orders, compared, before }) => ({
      country,
      orders: compare(orders, compared, before),
      ...figuresOf(country),
    })),
  };
}

/** A delivery with a known delivery time. */
interface TimedDelivery {
  country: string | null;
  days: number;
}

/** Looks at the latest {@link MAX_DELIVERIES} deliveries of a range, and returns those whose delivery time is known. */
async function readDeliveryTimes(
  db: Database,
  { shopIds, ...range }: { shopIds: number[] | null; start: Date; end: Date },
): Promise<TimedDelivery[]> {
  const deliveredRows = await sql.listDeliveredNumbers.run(db.pool, {
    ...range,
    shopIds,
    limit: MAX_DELIVERIES,
  });
  const trackingNumbers = deliveredRows.map((row) => row.tracking_number);
  const [destinationRows, timeRows] = await Promise.all([
    sql.listDestinations.run(db.pool, { trackingNumbers, shopIds }),
    sql.timeDeliveries.run(db.pool, { trackingNumbers }),
  ]);
  const countryByNumber = new Map(destinationRows.map((row) => [row.tracking_number, row.country_code]));
  return timeRows.map((row) => ({
    country: countryByNumber.get(row.tracking_number) ?? null,
    days: row.days,
  }));
}

/**
 * Returns the delivery times in days.
 *
 * @param country null for all deliveries
 */
const deliveryDaysOf = (deliveries: readonly TimedDelivery[], country: string | null): number[] =>
  deliveries.filter((delivery) => country === null || delivery.country === country).map(({ days }) => days);

/** Returns the median, rounded to one decimal, or null if there are no numbers. */
function medianOf(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null;
  const sortedNumbers = numbers.toSorted((a, b) => a - b);
  const middle = (sortedNumbers.length - 1) / 2;
  const median = (sortedNumbers[Math.floor(middle)]! + sortedNumbers[Math.ceil(middle)]!) / 2;
  return Math.round(median * 10) / 10;
}
