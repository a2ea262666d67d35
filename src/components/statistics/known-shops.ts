import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../api/client';

/** Returns the shops that have or can have statistics, and lookups of name and currency by marketplace shop ID. */
export function useKnownShops() {
  const trpc = useTRPC();
  const { data: shops } = useQuery(trpc.statistics.knownShops.queryOptions());
  const currencyByShopId = new Map(shops?.map(({ shop_id, currency }) => [shop_id, currency]));
  const nameByShopId = new Map(shops?.map(({ shop_id, name }) => [shop_id, name ?? shop_id]));
  return {
    shops,
    options: [...nameByShopId].map(([value, label]) => ({ value, label })),
    currencyOf: (shopId: string) => currencyByShopId.get(shopId) ?? null,
    nameOf: (shopId: string) => nameByShopId.get(shopId) ?? shopId,
  };
}
