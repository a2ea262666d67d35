import { Command } from 'commander';
import { addAccountCommands } from './commands/accounts';
import { addApiKeyCommands } from './commands/api-keys';
import { addBackupCommands } from './commands/backup';
import { addCatalogCommands } from './commands/catalog';
import { addDatabaseCommands } from './commands/database';
import { addOAuthCommands } from './commands/oauth';
import { CLI_COMMAND } from './commands/options';
import { addOrderCommands } from './commands/orders';
import { reportFailure } from './commands/output';
import { addPromptCommands } from './commands/prompts';
import { addTokenCommands, addUserCommands } from './commands/users';
import { ignoreOutputErrors } from './core/standard-output';
import { VERSION } from './runtime/project';

function createProgram(): Command {
  const program = new Command(CLI_COMMAND)
    .description(
      'The commands of Brickdesk, for the machine that it runs on. They work whether or not the service is running.',
    )
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError('Add --help to list the commands and options.')
    .addHelpText('after', `\nExample:\n  ${CLI_COMMAND} orders import orders.csv --account 1`);
  addAccountCommands(program);
  addApiKeyCommands(program);
  addOAuthCommands(program);
  addUserCommands(program);
  addTokenCommands(program);
  addOrderCommands(program);
  addCatalogCommands(program);
  addPromptCommands(program);
  addDatabaseCommands(program);
  addBackupCommands(program);
  return program;
}

/** Returns whether the caller asked for JSON, which it gets even if the arguments cannot be parsed. */
function wantsJson(args: readonly string[]): boolean {
  const endOfOptionsIndex = args.indexOf('--');
  return args.slice(0, endOfOptionsIndex === -1 ? undefined : endOfOptionsIndex).includes('--json');
}

ignoreOutputErrors();
let exitCode = 0;
try {
  await createProgram().parseAsync(process.argv);
} catch (error) {
  exitCode = await reportFailure(error, wantsJson(process.argv.slice(2)));
}
// Everything is written and closed. Do not wait for what a library may have left open.
process.exit(exitCode);
