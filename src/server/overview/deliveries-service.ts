import { compare, compareIfAny, periodOf, plusDays, startOf } from '../core/period';
import type { Database } from '../db/client';
import * as sql from './overview.queries';
import type { Deliveries, OverviewInput } from './schema';

/** Most countries that are listed. */
const MOST_COUNTRIES = 8;
/** Enough for a median; a year may have a million deliveries. */
const MOST_DELIVERIES = 2_000;

/**
 * Returns where the orders of a range of New York days go to, and how long the latest deliveries of the range took, beside the
 * period before. The only figures of the overview that read orders and shipments instead of sums of days.
 */
export async function readDeliveries(db: Database, input: OverviewInput, now: number): Promise<Deliveries> {
  const shopIds = input.shops?.length ? input.shops : null;
  const { from, to, days, today } = periodOf(input, now);
  const [start, end] = [startOf(from), startOf(plusDays(to, 1))];
  const beforeStart = startOf(plusDays(from, -days));
  const notCompared = plusDays(today, -days);
  const [countries, times, timesBefore] = await Promise.all([
    sql.countByCountry.run(db.pool, {
      shopIds,
      start,
      end,
      today: startOf(today),
      beforeStart,
      beforeEnd: startOf(notCompared < from ? notCompared : from),
      limit: MOST_COUNTRIES,
    }),
    sql.sumDeliveryTimes.run(db.pool, { shopIds, start, end, limit: MOST_DELIVERIES }),
    sql.sumDeliveryTimes.run(db.pool, { shopIds, start: beforeStart, end: start, limit: MOST_DELIVERIES }),
  ]);
  const timeOf = (country: string | null) => {
    const isIt = (row: sql.SumDeliveryTimesRow) =>
      country === null ? row.is_total : !row.is_total && row.country === country;
    const found = times.find(isIt);
    const median = found?.median ?? null;
    return {
      time: compareIfAny(median, median, timesBefore.find(isIt)?.median ?? null),
      deliveries: found?.deliveries ?? 0,
    };
  };
  return {
    ...timeOf(null),
    most_deliveries: MOST_DELIVERIES,
    countries: countries.map(({ country, orders, compared, before }) => ({
      country,
      orders: compare(orders, compared, before),
      ...timeOf(country),
    })),
  };
}
