import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import {
  listPrompts,
  listPromptVersions,
  publishPrompt,
  readPromptVersion,
  rollBackPrompt,
} from './admin-service';
import {
  promptListOutput,
  promptShopInput,
  promptVersionsOutput,
  setPromptInput,
  tryInput,
  tryOutput,
  versionInput,
  versionOutput,
} from './schema';
import { setPrompt } from './service';
import { tryPrompts } from './trial-service';

const readProcedure = userProcedure('messages.read');
const writeProcedure = userProcedure('prompts.write');

/** Prompts for replies to buyers. */
export const promptRouter = router({
  list: readProcedure.output(promptListOutput).query(({ ctx: { services } }) => listPrompts(services.db)),

  versions: readProcedure
    .input(promptShopInput)
    .output(promptVersionsOutput)
    .query(({ ctx: { services }, input }) => listPromptVersions(services.db, input.shop_name)),

  set: writeProcedure
    .input(setPromptInput)
    .output(versionOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const { shop_name: shopName, text, draft, shown } = input;
      const prompt = { shopName, text, draft, shown };
      const { id } = await setPrompt(services.db, actor, prompt);
      return readPromptVersion(services.db, id);
    }),

  publish: writeProcedure
    .input(versionInput)
    .output(versionOutput)
    .mutation(({ ctx: { services, actor }, input }) => publishPrompt(services.db, actor, input.id)),

  rollBack: writeProcedure
    .input(versionInput)
    .output(versionOutput)
    .mutation(({ ctx: { services, actor }, input }) => rollBackPrompt(services.db, actor, input.id)),

  try: userProcedure('messages.write')
    .input(tryInput)
    .output(tryOutput)
    .mutation(({ ctx: { services, actor }, input }) => tryPrompts(services, actor, input)),
});
