import { router } from '../../../trpc/init';
import { userProcedure } from '../../../trpc/procedures';
import { pasteTrackingInput, pasteTrackingOutput, trackingFileInput, trackingFileOutput } from './schema';
import { pasteTrackingNumbers } from './service';

/** The page for pasting a forwarder's tracking numbers. */
export const trackingPasteRouter = router({
  submit: userProcedure('orders.write')
    .input(pasteTrackingInput)
    .output(pasteTrackingOutput)
    .mutation(({ ctx: { services, actor }, input }) => pasteTrackingNumbers(services.db, actor, input.rows)),

  /** Returns the rows of a CSV file or a workbook, for the page to paste into its text field. Stores nothing. */
  readFile: userProcedure('orders.write', { bodyLimit: 'csv' })
    .input(trackingFileInput)
    .output(trackingFileOutput)
    .mutation(async ({ ctx, input }) => ({
      rows: await ctx.services.sheets.readTable(
        { name: input.name, bytes: Buffer.from(input.file, 'base64') },
        ctx.abortSignal(),
      ),
    })),
});
