import path from 'node:path';
import type { Command } from 'commander';
import { listPrompts, type PromptVersion } from '../messages/prompts/admin-service';
import { setPrompt } from '../messages/prompts/service';
import { promptTextSchema, shopNameSchema } from '../messages/schema';
import { readFileBytes } from './files';
import { withExistingDatabase, withMigratedDatabase } from './open';
import { addCommand, addJsonCommand, createParser, describeIssues } from './options';
import { CommandError, formatTable, printable, printResult, shortTime } from './output';

interface SetOptions {
  shop: string;
  text?: string;
  file?: string;
  draft?: boolean;
  json?: boolean;
}

/** More than the longest prompt needs, so that a prompt that is too long is reported as such, not as too large a file. */
const MAX_FILE_BYTES = 1024 * 1024;

async function readFileText(file: string): Promise<string> {
  const fileName = path.basename(file);
  const bytes = await readFileBytes(file, fileName, MAX_FILE_BYTES);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${printable(fileName)} is not UTF-8. Save it in UTF-8.`);
  }
  // Editors end a file with a line break, which is not part of the prompt.
  return text.replace(/\r?\n$/, '');
}

async function readPromptText({ text, file }: SetOptions): Promise<string> {
  if ((text === undefined) === (file === undefined)) {
    throw new CommandError('Pass the prompt with either --text or --file.');
  }
  const result = promptTextSchema.safeParse(text ?? (await readFileText(file!)));
  if (result.success) return result.data;
  throw new CommandError(
    `${text === undefined ? '--file' : '--text'}: ${describeIssues('the prompt', result.error)}`,
  );
}

async function saveVersion(options: SetOptions): Promise<void> {
  const text = await readPromptText(options);
  const savedVersion = await withMigratedDatabase(({ db, actor }) =>
    setPrompt(db, actor, { shopName: options.shop, text, draft: options.draft }),
  );
  const { shopName: shop_name, isPending, version, state } = savedVersion;
  const subject = `Version ${version} of the prompt of "${printable(shop_name)}"`;
  await printResult(
    options,
    { shop_name, version, state },
    [
      state === 'published'
        ? `${subject} is published; replies are written with it from now on.`
        : `${subject} is saved as a draft.`,
      ...(isPending ? ['No shop has this name yet. Check the name, or add the shop under it.'] : []),
    ].join('\n'),
  );
}

/** Returns a version as `--json` prints it. */
const toJson = (version: PromptVersion | null) =>
  version && {
    version: version.version,
    text: version.text,
    created_at: version.created_at,
    published_at: version.published_at,
  };

async function printPrompts(options: { json?: boolean }): Promise<void> {
  const { prompts } = await withExistingDatabase(({ db }) => listPrompts(db));
  const rows = prompts.map(({ shop_name, published, draft }) => [
    shop_name,
    published ? String(published.version) : '-',
    shortTime(published?.published_at ?? null),
    draft ? String(draft.version) : '-',
  ]);
  const emptyText = 'There are no prompts yet. Create one with "prompt set --shop NAME --file FILE".';
  await printResult(
    options,
    prompts.map(({ shop_name, versions, published, draft }) => ({
      shop_name,
      versions,
      published: toJson(published),
      draft: toJson(draft),
    })),
    rows.length === 0 ? emptyText : formatTable(['SHOP', 'PUBLISHED', 'SINCE', 'DRAFT'], rows),
  );
}

/** `prompt`: the prompts for writing replies to buyers. */
export function addPromptCommands(program: Command): void {
  const group = addCommand(program, 'prompt', 'prompts for writing replies to buyers', 'prompt list');
  addJsonCommand(
    group,
    'set',
    "add a version to a shop's prompt and publish it",
    'prompt set --shop "My shop" --file prompt.txt',
  )
    .requiredOption(
      '--shop <name>',
      "the shop's name, as requests for replies name it",
      createParser(shopNameSchema),
    )
    .option('--text <text>', 'the prompt itself')
    .option('--file <file>', 'a file that contains it, in UTF-8')
    .option('--draft', 'save it as a draft; the published version stays live')
    .action(saveVersion);
  addJsonCommand(group, 'list', 'list the prompts', 'prompt list --json').action(printPrompts);
}
