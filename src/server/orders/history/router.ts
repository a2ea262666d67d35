import { withIsoInstants } from '../../core/time';
import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { historyInput, historyOutput, type ImportList, importInput, importOutput } from './history-schema';
import { listImports, readImportPart } from './view-service';

/** The history of all imports. */
export const historyRouter = router({
  history: userProcedure('imports.read', { fromReplica: true })
    .input(historyInput)
    .output(historyOutput)
    .query(async ({ ctx: { services }, input }) => {
      const { entries, next } = await listImports(services.db, input);
      return { entries: entries.map(withIsoInstants), next };
    }),

  one: userProcedure('imports.read')
    .input(importInput)
    .output(importOutput)
    .query(async ({ ctx: { services }, input: { id, part, ...page } }) => {
      const { import: view, total, entries, next } = await readImportPart(services.db, id, part, page);
      // TypeScript cannot see that the entries are those of `part`.
      const list = { part, entries } as ImportList;
      return { import: withIsoInstants(view), total, next, ...list };
    }),
});
