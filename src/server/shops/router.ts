import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import { createShop } from './account-service';
import { createShopInput, shopInput, shopOutput, shopsOutput, updateShopInput } from './schema';
import { listShops, readShop, type ShopView, setShopArchived, updateShop } from './service';

const readProcedure = userProcedure('orders.read');
const writeProcedure = userProcedure('shops.write');

const toOutput = ({ created_at, archived_at, deleting_at, last_import, ...shop }: ShopView) => ({
  ...shop,
  created_at: created_at.toISOString(),
  archived_at: archived_at?.toISOString() ?? null,
  deleting_at: deleting_at?.toISOString() ?? null,
  last_import: last_import && { ...last_import, at: new Date(last_import.at).toISOString() },
});

/** The shops whose orders we store. */
export const shopRouter = router({
  list: readProcedure
    .output(shopsOutput)
    .query(async ({ ctx: { services } }) => (await listShops(services.db)).map(toOutput)),

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
