import { userInfo } from 'node:os';
import { makeTemporaryFolder, removeTemporaryFolder } from '../database/temporary-folder';
import { createTestDatabase, insertShop, type TestDatabase } from '../database/test-database';
import { type CommandResult, runCommand } from './run-command';

/** The actor in the audit log for the commands that tests run. */
export const COMMAND_ACTOR = `command: ${userInfo().username}`;

/** Runs commands on a database of their own. */
export interface CommandLine {
  database: TestDatabase;
  /** The environment of the commands. */
  env: Record<string, string>;
  /** For files that commands read. */
  folder: string;
  run(...args: string[]): Promise<CommandResult>;
  /** Creates a shop for a test, without a command, and returns its id. */
  createShop(name: string): Promise<string>;
  close(): Promise<void>;
}

export async function openCommandLine(): Promise<CommandLine> {
  const folder = await makeTemporaryFolder('commands');
  const database = await createTestDatabase();
  const env = { DATABASE_URL: database.url, NEXTAUTH_SECRET: 'x'.repeat(48) };
  const run: CommandLine['run'] = (...args) => runCommand(args, env);
  return {
    database,
    env,
    folder,
    run,
    createShop: async (name) => String(await insertShop(database.url, name)),
    async close() {
      await database.drop();
      await removeTemporaryFolder(folder);
    },
  };
}
