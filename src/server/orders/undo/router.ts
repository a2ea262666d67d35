import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { undoInput, undoOutput, undoPreviewInput, undoPreviewOutput } from './schema';
import { previewUndo, undoImport } from './service';

const writeProcedure = userProcedure('imports.write');

/** The undo of an import. */
export const undoRouter = router({
  undoPreview: writeProcedure
    .input(undoPreviewInput)
    .output(undoPreviewOutput)
    .query(async ({ ctx: { services, requireCallerAfterWait }, input: { id, list, ...page } }) => ({
      ...(await previewUndo(services.db, id, list, page, requireCallerAfterWait)),
      list,
    })),

  undo: writeProcedure
    .input(undoInput)
    .output(undoOutput)
    .mutation(async ({ ctx: { services, actor, user, requireCallerAfterWait }, input }) => {
      const undoActor = { ...actor, id: user.userId };
      const { counts, lists } = await undoImport(services.db, undoActor, input, requireCallerAfterWait);
      return { counts, ...lists };
    }),
});
