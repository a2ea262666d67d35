import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../api/client';

/** The shops that statistics may be asked of, by the marketplace's id, and what each is called here. */
export function useKnownShops() {
  const trpc = useTRPC();
  const { data: shops } = useQuery(trpc.statistics.knownShops.queryOptions());
  const names = new Map(shops?.map(({ shop_id, name }) => [shop_id, name ?? shop_id]));
  return {
    shops,
    options: [...names].map(([value, label]) => ({ value, label })),
    nameOf: (shopId: string) => names.get(shopId) ?? shopId,
  };
}
