import type { Command } from 'commander';
import { z } from 'zod';
import {
  type Distribution,
  DistributionError,
  distribute,
  requireCluster,
} from '../db/distribution/distribute';
import { listShippedMigrations, readMigrationStatus } from '../db/migration/migrate';
import { PRISMA_DIR } from '../runtime/project';
import { ensureMigrated, migrateDatabase, withDatabase } from './open';
import { addCommand, addJsonCommand, createParser } from './options';
import { CommandError, printNotice, printResult } from './output';

async function applyMigrations(options: { json?: boolean }): Promise<void> {
  const appliedNames = await withDatabase(({ url }) => migrateDatabase(url));
  const text =
    appliedNames.length === 0
      ? 'Nothing was pending.'
      : ['Applied:', ...appliedNames.map((name) => `  ${name}`)].join('\n');
  await printResult(options, { applied: appliedNames }, text);
}

async function showStatus(options: { json?: boolean }): Promise<void> {
  const status = await withDatabase(
    async ({ client }) => readMigrationStatus(client, await listShippedMigrations(PRISMA_DIR)),
    { mustExist: true },
  );
  const { applied, pending, failed } = status;
  const unknown = [...status.unknown, ...status.unknownFailed];
  const linesOf = (title: string, names: readonly string[]) => [
    `${title}: ${names.length}`,
    ...names.map((name) => `  ${name}`),
  ];
  const lines = [
    ...linesOf('applied', applied),
    ...linesOf('pending', pending),
    ...linesOf('failed', failed),
    ...(unknown.length > 0 ? linesOf('of a newer version, unknown to this one', unknown) : []),
  ];
  await printResult(options, { applied, pending, failed, unknown }, lines.join('\n'));
}

/** Describes what was distributed. */
function distributionText(result: Distribution): string {
  const { workers, shards, reference, distributed, resharded, droppedForeignKeys } = result;
  const extent = `${workers} ${workers === 1 ? 'worker' : 'workers'}, ${shards} ${shards === 1 ? 'shard' : 'shards'} for the tables by shop:`;
  const lines = [
    ...(reference.length > 0 ? ['Copied to every server:', ...reference.map((table) => `  ${table}`)] : []),
    ...(distributed.length > 0
      ? [`Distributed over ${extent}`, ...distributed.map(({ table, by }) => `  ${table}, by ${by}`)]
      : []),
    ...(resharded.length > 0
      ? [`Resharded over ${extent}`, ...resharded.map((by) => `  the tables distributed by ${by}`)]
      : []),
    ...(droppedForeignKeys.length > 0
      ? ['Foreign keys that are no longer checked:', ...droppedForeignKeys.map((key) => `  ${key}`)]
      : []),
  ];
  if (lines.length === 0) lines.push('Everything is distributed already.');
  if (shards < workers) {
    lines.push(
      `Orders are stored on only ${shards} of ${workers} workers. Add --shards ${workers} to use all of them. This locks the tables while it runs.`,
    );
  }
  return lines.join('\n');
}

/** Citus's own limit is far higher, but each shard is a table on a worker. */
const shardsSchema = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'must be a whole number from 1 to 1024')
  .transform(Number)
  .refine((count) => count <= 1024, 'must be a whole number from 1 to 1024');

async function distributeTables(options: {
  json?: boolean;
  experimental?: boolean;
  shards?: number;
}): Promise<void> {
  if (!options.experimental) {
    throw new CommandError(
      'Distribution is experimental: lists of all shops take longer (docs/distribution.md), and no command moves the tables back. ' +
        'Add --experimental to distribute the tables of a trial database.',
    );
  }
  const result = await withDatabase(async (database) => {
    try {
      // Checked first: a worker has no migrations, and the next check would ask for them to be applied there.
      await requireCluster(database.client);
      await ensureMigrated(database);
      return await distribute(database.url, options, printNotice);
    } catch (error) {
      if (error instanceof DistributionError) throw new CommandError(error.message);
      throw error;
    }
  });
  await printResult(options, result, distributionText(result));
}

/** `db`: migrates the database and distributes it over a cluster. */
export function addDatabaseCommands(program: Command): void {
  const group = addCommand(program, 'db', "the database's migrations", 'db status');
  addJsonCommand(
    group,
    'migrate',
    'apply the pending migrations and the reference data',
    'db migrate',
  ).action(applyMigrations);
  addJsonCommand(
    group,
    'status',
    'show which migrations are applied, pending or failed',
    'db status --json',
  ).action(showStatus);
  addJsonCommand(
    group,
    'distribute',
    'spread the tables over the workers of a Citus cluster (experimental); skips those already distributed',
    'db distribute --experimental',
  )
    .option('--experimental', 'confirm that this is a trial database')
    .option(
      '--shards <number>',
      'how many shards each table has, including tables that are already distributed; by default, newly distributed tables get one per worker',
      createParser(shardsSchema),
    )
    .action(distributeTables);
}
