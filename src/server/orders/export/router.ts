import { doneOutput } from '../../core/fields';
import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { EXPORT_COLUMN_NAMES, EXPORT_COLUMNS } from './columns';
import {
  saveTemplateInput,
  saveTemplateOutput,
  templateColumnsOutput,
  templateInput,
  templatesOutput,
} from './schema';
import { listTemplates, removeTemplate, saveTemplate } from './template-service';

const readProcedure = userProcedure('orders.read');
const writeProcedure = userProcedure('orders.write');

/** Export templates, and the columns they may have. */
export const exportRouter = router({
  templates: readProcedure
    .output(templatesOutput)
    .query(({ ctx: { services } }) => listTemplates(services.db)),

  columns: readProcedure.output(templateColumnsOutput).query(() =>
    EXPORT_COLUMN_NAMES.map((column) => {
      const { scope, en, zh } = EXPORT_COLUMNS[column];
      return { column, scope, en, zh };
    }),
  ),

  saveTemplate: writeProcedure
    .input(saveTemplateInput)
    .output(saveTemplateOutput)
    .mutation(async ({ ctx: { services, actor, user }, input }) => ({
      id: await saveTemplate(services.db, { ...actor, id: user.userId }, input),
    })),

  removeTemplate: writeProcedure
    .input(templateInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      await removeTemplate(services.db, actor, input.id);
      return { done: true as const };
    }),
});
