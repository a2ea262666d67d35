import type { Command } from 'commander';
import { migrationStatus, shippedMigrations } from '../db/migrate';
import { PRISMA_DIR } from '../runtime/project';
import { migrateDatabase, withDatabase } from './open';
import { command, jsonCommand } from './options';
import { answer } from './output';

async function apply(options: { json?: boolean }): Promise<void> {
  const applied = await withDatabase(({ url }) => migrateDatabase(url));
  const text =
    applied.length === 0
      ? 'Nothing was pending.'
      : ['Applied:', ...applied.map((name) => `  ${name}`)].join('\n');
  await answer(options, { applied }, text);
}

async function status(options: { json?: boolean }): Promise<void> {
  const found = await withDatabase(async ({ client }) =>
    migrationStatus(client, await shippedMigrations(PRISMA_DIR)),
  );
  const lines = (['applied', 'pending', 'failed'] as const).flatMap((kind) => [
    `${kind}: ${found[kind].length}`,
    ...found[kind].map((name) => `  ${name}`),
  ]);
  await answer(
    options,
    { applied: found.applied, pending: found.pending, failed: found.failed },
    lines.join('\n'),
  );
}

/** `db`: the database's schema. */
export function addDatabaseCommands(program: Command): void {
  const group = command(program, 'db', "the database's migrations", 'db status');
  jsonCommand(group, 'migrate', 'apply the pending migrations and the reference data', 'db migrate').action(
    apply,
  );
  jsonCommand(
    group,
    'status',
    'show which migrations are applied, pending or failed',
    'db status --json',
  ).action(status);
}
