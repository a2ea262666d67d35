import { ORDER_STATUSES } from '../../server/core/statuses';
import type { QueueName } from '../../server/queues/queue';
import { useBackOffice } from '../shell/back-office';
import type { DayRange } from '../ui/list/filter/day-range';

const NOT_CANCELLED = ORDER_STATUSES.filter((status) => status !== 'cancelled').join(',');

type Parameters = Record<string, string | undefined>;

/** Links to the lists behind the figures, with the overview's filters. */
export interface ListLinks {
  /** Orders sold in these days and not cancelled: those that the figures count. */
  soldOrders(more?: Parameters): string;
  /** A work queue with the entries of the chosen shops. */
  queue(queue: QueueName, more?: Parameters): string;
  /** A statistics page for the same days and shops. */
  statistics(path?: string, more?: Parameters): string;
  page(path: string, more?: Parameters): string;
}

interface Shop {
  id: number;
  shop_id: string | null;
}

/** @param chosen ids of the chosen shops; empty for all */
export function useListLinks(
  { from, to }: DayRange,
  chosen: readonly string[],
  shops: readonly Shop[] | undefined,
): ListLinks {
  const { prefix } = useBackOffice();
  const page = (path: string, parameters: Parameters = {}) => {
    const present = Object.entries(parameters).filter((entry): entry is [string, string] =>
      Boolean(entry[1]),
    );
    const search = new URLSearchParams(present).toString().replaceAll('%2C', ',');
    return prefix + path + (search === '' ? '' : `?${search}`);
  };
  const shop = chosen.join(',');
  // The statistics identify shops by the marketplace's own id.
  const chosenShopIds = (shops ?? []).flatMap(({ id, shop_id }) =>
    shop_id !== null && chosen.includes(String(id)) ? [shop_id] : [],
  );
  return {
    page,
    soldOrders: (more) => page('/orders', { status: NOT_CANCELLED, from, to, shop, ...more }),
    queue: (queue, more) => page(`/queues/${queue}`, { shop, ...more }),
    statistics: (path = '', more) =>
      page(`/statistics${path}`, { from, to, shop: chosenShopIds.join(','), ...more }),
  };
}
