import { doneOutput } from '../core/fields';
import { router } from '../trpc/init';
import { personProcedure } from '../trpc/procedures';
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

const ownProcedure = personProcedure('self.manage');

type View = Awaited<ReturnType<typeof saveView>>;

const shown = (view: View, userId: number) => ({
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

/** Filters and columns of lists that users save under names. */
export const savedViewRouter = router({
  list: ownProcedure
    .input(viewsInput)
    .output(viewsOutput)
    .query(async ({ ctx: { services, person }, input }) =>
      (await listViews(services.db, person, input.list)).map((view) => shown(view, person.userId)),
    ),

  save: ownProcedure
    .input(saveViewInput)
    .output(viewOutput)
    .mutation(async ({ ctx: { services, actor, person }, input }) =>
      shown(await saveView(services.db, actor, person, input), person.userId),
    ),

  rename: ownProcedure
    .input(renameViewInput)
    .output(viewOutput)
    .mutation(async ({ ctx: { services, actor, person }, input }) =>
      shown(await renameView(services.db, actor, person, input), person.userId),
    ),

  share: ownProcedure
    .input(shareViewInput)
    .output(viewOutput)
    .mutation(async ({ ctx: { services, actor, person }, input }) =>
      shown(await shareView(services.db, actor, person, input), person.userId),
    ),

  pin: ownProcedure
    .input(pinViewInput)
    .output(viewOutput)
    .mutation(async ({ ctx: { services, person }, input }) =>
      shown(await pinView(services.db, person, input), person.userId),
    ),

  remove: ownProcedure
    .input(viewInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, actor, person }, input }) => {
      await removeView(services.db, actor, person, input.id);
      return { done: true as const };
    }),
});
