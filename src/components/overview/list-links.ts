import { ORDER_STATUSES } from '../../server/core/statuses';
import type { QueueName } from '../../server/queues/queue';
import { useBackOffice } from '../shell/back-office';
import type { DayRange } from '../ui/list/filter/day-range';

const NOT_CANCELLED = ORDER_STATUSES.filter((status) => status !== 'cancelled').join(',');

type QueryParameters = Record<string, string | undefined>;

/** Links to the lists behind the figures. */
export interface ListLinks {
  /** The orders that the figures count: sold in the range of days in the chosen shops, and not cancelled. */
  soldOrders(extra?: QueryParameters): string;
  /** A work queue with the entries of the chosen shops. */
  queue(queue: QueueName, extra?: QueryParameters): string;
  /** The import history of the chosen shops. */
  imports(extra?: QueryParameters): string;
  /**
   * A statistics page for the same days and shops; undefined if shops are chosen and none of them is known to have a marketplace
   * shop ID.
   */
  statistics(path?: string, extra?: QueryParameters): string | undefined;
  /** Any page of the back office, without the overview's filters. */
  page(path: string, extra?: QueryParameters): string;
}

interface Shop {
  id: number;
  shop_id: string | null;
}

/**
 * Returns the statistics' shop filter for the chosen shops: their marketplace shop IDs, or an empty string for all shops. Returns
 * null if none of the chosen shops has one, because an empty filter would select all shops.
 */
export function statisticsShops(
  chosenShops: readonly string[],
  shops: readonly Shop[] | undefined,
): string | null {
  if (chosenShops.length === 0) return '';
  const marketplaceShopIds = (shops ?? []).flatMap(({ id, shop_id }) =>
    shop_id !== null && chosenShops.includes(String(id)) ? [shop_id] : [],
  );
  return marketplaceShopIds.length > 0 ? marketplaceShopIds.join(',') : null;
}

/**
 * Returns the links for a range of days and the chosen shops.
 * @param chosenShops ids of the chosen shops; empty for all
 */
export function useListLinks(
  { from, to }: DayRange,
  chosenShops: readonly string[],
  shops: readonly Shop[] | undefined,
): ListLinks {
  const { prefix } = useBackOffice();
  const page = (path: string, parameters: QueryParameters = {}) => {
    const presentParameters = Object.entries(parameters).filter((entry): entry is [string, string] =>
      Boolean(entry[1]),
    );
    const search = new URLSearchParams(presentParameters).toString().replaceAll('%2C', ',');
    return prefix + path + (search === '' ? '' : `?${search}`);
  };
  const shop = chosenShops.join(',');
  const marketplaceShops = statisticsShops(chosenShops, shops);
  return {
    page,
    soldOrders: (extra) => page('/orders', { status: NOT_CANCELLED, from, to, shop, ...extra }),
    queue: (queue, extra) => page(`/queues/${queue}`, { shop, ...extra }),
    imports: (extra) => page('/imports', { shop, ...extra }),
    statistics: (path = '', extra) =>
      marketplaceShops === null
        ? undefined
        : page(`/statistics${path}`, { from, to, shop: marketplaceShops, ...extra }),
  };
}
