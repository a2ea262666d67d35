import { router } from '../../trpc/init';
import { personProcedure } from '../../trpc/procedures';
import {
  listShopPrompts,
  promptVersion,
  promptVersions,
  publishPrompt,
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

const reading = personProcedure('messages.read');
const writing = personProcedure('prompts.write');

/** The prompts for replies to buyers, for users. */
export const promptRouter = router({
  list: reading.output(promptListOutput).query(({ ctx: { services } }) => listShopPrompts(services.db)),

  versions: reading
    .input(promptShopInput)
    .output(promptVersionsOutput)
    .query(({ ctx: { services }, input }) => promptVersions(services.db, input.shop_name)),

  set: writing
    .input(setPromptInput)
    .output(versionOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const prompt = { shopName: input.shop_name, text: input.text, draft: input.draft };
      const { id } = await setPrompt(services.db, actor, prompt);
      return promptVersion(services.db, id);
    }),

  publish: writing
    .input(versionInput)
    .output(versionOutput)
    .mutation(({ ctx: { services, actor }, input }) => publishPrompt(services.db, actor, input.id)),

  rollBack: writing
    .input(versionInput)
    .output(versionOutput)
    .mutation(({ ctx: { services, actor }, input }) => rollBackPrompt(services.db, actor, input.id)),

  try: personProcedure('messages.write')
    .input(tryInput)
    .output(tryOutput)
    .mutation(({ ctx: { services, actor }, input }) => tryPrompts(services, actor, input)),
});
