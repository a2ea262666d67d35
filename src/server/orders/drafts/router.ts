import { doneOutput } from '../../core/fields';
import { withIsoInstants } from '../../core/time';
import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { commitDraft } from './commit-service';
import { type PreviewServices, previewDraft } from './preview-service';
import { watchDraft } from './progress-service';
import {
  commitInput,
  commitOutput,
  draftInput,
  draftOutput,
  draftsOutput,
  fixInput,
  type PreviewListPage,
  previewInput,
  previewOutput,
} from './schema';
import { type DraftView, discardDraft, fixDraft, listDrafts, readDraftSummary } from './service';
import { readStoredPage } from './stored-list';

declare module '../../trpc/context' {
  interface Services extends PreviewServices {}
}

const writeProcedure = userProcedure('imports.write');

const DONE = { done: true } as const;

const toDraftOutput = ({ fingerprint: _, ...draft }: DraftView) => withIsoInstants(draft);

/** Returns the origin that the import history stores for a user's import. */
function originOf(ctx: { user: { userId: number; email: string }; requestId: string }) {
  const { user, requestId } = ctx;
  return { source: 'spreadsheet', actor: user.email, userId: user.userId, requestId } as const;
}

/** The import page: drafts of uploaded files. */
export const draftRouter = router({
  drafts: writeProcedure
    .output(draftsOutput)
    .query(async ({ ctx: { services, user } }) =>
      (await listDrafts(services, user.userId)).map(toDraftOutput),
    ),

  draft: writeProcedure
    .input(draftInput)
    .output(draftOutput)
    .query(async ({ ctx: { services, user, abortSignal }, input }) => {
      const { draft, summary } = await readDraftSummary(services, user.userId, input.id, abortSignal());
      return { ...toDraftOutput(draft), ...summary };
    }),

  /** Returns a page of what the import would do. Unless the preview is cached, runs the import and rolls it back. */
  preview: writeProcedure
    .input(previewInput)
    .output(previewOutput)
    .query(async ({ ctx, input: { id, part, ...page } }) => {
      const preview = await previewDraft(ctx.services, originOf(ctx), id);
      const storedList = preview.lists[part];
      const { entries, next } = readStoredPage(storedList, page);
      // Each part of the preview has the entries of its own list.
      const list = {
        part,
        entries: (entries as { row: number }[]).map((entry) => ({
          ...entry,
          line: preview.lines[entry.row] ?? null,
        })),
      } as PreviewListPage;
      return {
        fingerprint: preview.fingerprint,
        counts: preview.counts,
        mismatches: preview.mismatches,
        total: storedList.total,
        next,
        ...list,
      };
    }),

  fix: writeProcedure
    .input(fixInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, user, abortSignal }, input }) => {
      await fixDraft(services, user.userId, input.id, input.cells, abortSignal());
      return DONE;
    }),

  discard: writeProcedure
    .input(draftInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, user }, input }) => {
      await discardDraft(services, user.userId, input.id);
      return DONE;
    }),

  /** Responds only once the import has finished. The import continues if the user leaves the page. */
  commit: writeProcedure
    .input(commitInput)
    .output(commitOutput)
    .mutation(async ({ ctx, input }) => {
      const { services, actor, requireCallerAfterWait } = ctx;
      const result = await commitDraft(services, originOf(ctx), actor, input, requireCallerAfterWait);
      return {
        import_id: result.importId,
        new_orders: result.newOrders,
        updated_orders: result.updatedOrders,
        changed_orders: result.changedOrders,
        order_items_inserted: result.itemsInserted,
        order_items_changed: result.itemsChanged,
        warnings: result.warningCount,
        held_back: result.heldBackRowCount,
      };
    }),

  /** Ends when the import has succeeded or failed. Can be stopped and subscribed to again, before and during the import. */
  progress: writeProcedure.input(draftInput).subscription(async function* ({
    ctx: { services, user },
    input,
    signal,
  }) {
    for await (const draft of watchDraft(services, user.userId, input.id, signal)) yield toDraftOutput(draft);
  }),
});
