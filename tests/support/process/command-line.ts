import { userInfo } from 'node:os';
import { makeTemporaryFolder, removeTemporaryFolder } from '../database/temporary-folder';
import { createTestDatabase, type TestDatabase } from '../database/test-database';
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
  /** Creates a shop for a test and returns its id. */
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
    async createShop(name) {
      const result = await run('account', 'create', '--name', name, '--json');
      return String(result.json.id);
    },
    async close() {
      await database.drop();
      await removeTemporaryFolder(folder);
    },
  };
}
