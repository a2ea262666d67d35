import { doneOutput } from '../core/fields';
import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import {
  pinViewInput,
  renameViewInput,
  saveViewInput,
  shareViewInput,
  viewInput,
  viewOutput,
  viewsInput,
  viewsOutput,
} from './schema';
import { listViews, pinView, removeView, renameView, saveView, shareView } from './service';

const selfProcedure = userProcedure('self.manage');

type View = Awaited<ReturnType<typeof saveView>>;

const toOutput = (view: View, userId: number) => ({
  id: view.id,
  list: view.list,
  name: view.name,
  query: view.query,
  shared: view.shared,
  owner: view.user.name,
  mine: view.userId === userId,
  pinned: view.pins.length > 0,
  created_at: view.createdAt.toISOString(),
});

/** The filters and columns of a list, saved by users under names. */
export const savedViewRouter = router({
  list: selfProcedure
    .input(viewsInput)
    .output(viewsOutput)
    .query(async ({ ctx: { services, user }, input }) =>
      (await listViews(services.db, user, input.list)).map((view) => toOutput(view, user.userId)),
    ),

  save: selfProcedure
    .input(saveViewInput)
    .output(viewOutput)
    .mutation(async ({ ctx: { services, actor, user }, input }) =>
      toOutput(await saveView(services.db, actor, user, input), user.userId),
    ),

  rename: selfProcedure
    .input(renameViewInput)
    .output(viewOutput)
    .mutation(async ({ ctx: { services, actor, user }, input }) =>
      toOutput(await renameView(services.db, actor, user, input), user.userId),
    ),

  share: selfProcedure
    .input(shareViewInput)
    .output(viewOutput)
    .mutation(async ({ ctx: { services, actor, user }, input }) =>
      toOutput(await shareView(services.db, actor, user, input), user.userId),
    ),

  pin: selfProcedure
    .input(pinViewInput)
    .output(viewOutput)
    .mutation(async ({ ctx: { services, user }, input }) =>
      toOutput(await pinView(services.db, user, input), user.userId),
    ),

  remove: selfProcedure
    .input(viewInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, actor, user }, input }) => {
      await removeView(services.db, actor, user, input.id);
      return { done: true as const };
    }),
});
