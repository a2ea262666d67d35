import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import { createShop } from './account-service';
import {
  createShopInput,
  shopInput,
  shopNamesOutput,
  shopOutput,
  shopsOutput,
  updateShopInput,
} from './schema';
import { listShopNames, listShops, readShop, type ShopView, setShopArchived, updateShop } from './service';

const readProcedure = userProcedure('orders.read');
const writeProcedure = userProcedure('shops.write');

const withIsoTimes = <Shop extends Pick<ShopView, 'created_at' | 'archived_at' | 'deleting_at'>>(
  shop: Shop,
) => ({
  ...shop,
  created_at: shop.created_at.toISOString(),
  archived_at: shop.archived_at?.toISOString() ?? null,
  deleting_at: shop.deleting_at?.toISOString() ?? null,
});

const toOutput = ({ last_import, ...shop }: ShopView) => ({
  ...withIsoTimes(shop),
  last_import: last_import && { ...last_import, at: new Date(last_import.at).toISOString() },
});

/** The shops whose orders we store. */
export const shopRouter = router({
  list: readProcedure
    .output(shopsOutput)
    .query(async ({ ctx: { services } }) => (await listShops(services.db)).map(toOutput)),

  /** The shops as pages offer them to choose from. */
  names: readProcedure
    .output(shopNamesOutput)
    .query(async ({ ctx: { services } }) => (await listShopNames(services.db)).map(withIsoTimes)),

  create: writeProcedure
    .input(createShopInput)
    .output(shopOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const { id } = await createShop(services.db, actor, {
        name: input.name,
        shopId: input.shop_id,
        currency: input.currency,
        timeZone: input.time_zone,
      });
      return toOutput(await readShop(services.db, id));
    }),

  update: writeProcedure
    .input(updateShopInput)
    .output(shopOutput)
    .mutation(async ({ ctx: { services, actor }, input }) =>
      toOutput(await updateShop(services.db, actor, input)),
    ),

  archive: writeProcedure
    .input(shopInput)
    .output(shopOutput)
    .mutation(async ({ ctx: { services, actor }, input }) =>
      toOutput(await setShopArchived(services.db, actor, input.id, true)),
    ),

  restore: writeProcedure
    .input(shopInput)
    .output(shopOutput)
    .mutation(async ({ ctx: { services, actor }, input }) =>
      toOutput(await setShopArchived(services.db, actor, input.id, false)),
    ),
});
