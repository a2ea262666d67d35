import { ORDER_STATUSES } from '../../server/core/statuses';
import type { QueueName } from '../../server/queues/queue';
import { useBackOffice } from '../shell/back-office';
import type { DayRange } from '../ui/list/filter/day-range';

const NOT_CANCELLED_STATUSES = ORDER_STATUSES.filter((status) => status !== 'cancelled').join(',');

type QueryParameters = Record<string, string | undefined>;

/** Links to the lists behind the figures. */
export interface ListLinks {
  /** The orders that the figures count: sold in the range of days in the chosen shops, and not cancelled. */
  soldOrders(extraParameters?: QueryParameters): string;
  /** A work queue with the entries of the chosen shops. */
  queue(queue: QueueName, extraParameters?: QueryParameters): string;
  /** The import history of the chosen shops. */
  imports(extraParameters?: QueryParameters): string;
  /**
   * A statistics page for the range of days and the chosen shops; undefined if shops are chosen and none of them is known to have a
   * marketplace shop ID.
   */
  statistics(path?: string, extraParameters?: QueryParameters): string | undefined;
  /** Any page of the back office, without the overview's filters. */
  page(path: string, extraParameters?: QueryParameters): string;
}

interface Shop {
  id: number;
  shop_id: string | null;
}

/**
 * Returns the statistics' shop filter for the chosen shops: their marketplace shop IDs, or an empty string for all shops. Returns
 * null if none of the chosen shops is known to have such an ID, because an empty filter would select all shops.
 */
export function statisticsShopFilter(
  chosenShopIds: readonly string[],
  shops: readonly Shop[] | undefined,
): string | null {
  if (chosenShopIds.length === 0) return '';
  const marketplaceShopIds = (shops ?? []).flatMap(({ id, shop_id }) =>
    shop_id !== null && chosenShopIds.includes(String(id)) ? [shop_id] : [],
  );
  return marketplaceShopIds.length > 0 ? marketplaceShopIds.join(',') : null;
}

/**
 * Returns the links for a range of days and the chosen shops.
 * @param chosenShopIds empty for all shops
 */
export function useListLinks(
  { from, to }: DayRange,
  chosenShopIds: readonly string[],
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
  const shopFilter = chosenShopIds.join(',');
  const marketplaceShopFilter = statisticsShopFilter(chosenShopIds, shops);
  return {
    page,
    soldOrders: (extraParameters) =>
      page('/orders', { status: NOT_CANCELLED_STATUSES, from, to, shop: shopFilter, ...extraParameters }),
    queue: (queue, extraParameters) => page(`/queues/${queue}`, { shop: shopFilter, ...extraParameters }),
    imports: (extraParameters) => page('/imports', { shop: shopFilter, ...extraParameters }),
    statistics: (path = '', extraParameters) =>
      marketplaceShopFilter === null
        ? undefined
        : page(`/statistics${path}`, { from, to, shop: marketplaceShopFilter, ...extraParameters }),
  };
}
