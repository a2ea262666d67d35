import type { Command } from 'commander';
import { englishProblem, isServiceError } from '../core/errors/errors';
import type { Problem } from '../core/errors/reason';
import { sentenceOf } from '../core/errors/sentence';
import { marketplaceShopIdSchema, nameSchema, timeZoneSchema } from '../core/fields';
import { idTextSchema } from '../core/ids';
import { exportShop } from '../shop-data/export-service';
import { deleteMarkedShops, markShopForDeletion } from '../shop-data/removal-service';
import { type ApiShop, createShop, listApiShops, type NewShop } from '../shops/account-service';
import { currencySchema } from '../shops/schema';
import { withExistingDatabase, withMigratedDatabase } from './open';
import { addCommand, addJsonCommand, createParser } from './options';
import { CommandError, formatTable, printable, printResult, shortTime, write } from './output';

const toJson = ({ id, name, shopId, currency, timeZone, createdAt }: ApiShop) => ({
  id,
  name,
  shop_id: shopId,
  currency,
  time_zone: timeZone,
  created_at: createdAt.toISOString(),
});

/** Rewrites an error about the service's fields in terms of the command's options. */
function toOptionError(error: unknown): unknown {
  if (!isServiceError(error) || error.problems.length === 0) return error;
  const optionSentence = (problem: Problem) =>
    `--${problem.path.replaceAll('_', '-')} ${sentenceOf(problem)}`;
  return new CommandError(error.problems.map(optionSentence).join('\n'), {
    code: error.code,
    errors: error.problems.map(englishProblem),
  });
}

async function exportAccount({ account }: { account: number }): Promise<void> {
  await withExistingDatabase(({ db, actor }) => exportShop(db, actor, account, write));
}

async function deleteAccount({ account: id, name, json }: { account: number; name: string; json?: boolean }) {
  await withMigratedDatabase(async ({ db, log, actor }) => {
    await markShopForDeletion(db, actor, { id, name }).catch((error: unknown) => {
      throw toOptionError(error);
    });
    await deleteMarkedShops({ db, log });
  });
  await printResult(
    { json },
    { deleted: id },
    `Deleted account ${id} "${printable(name)}" and all its data.`,
  );
}

async function createAccount({ json, ...shop }: NewShop & { json?: boolean }): Promise<void> {
  const account = await withMigratedDatabase(({ db, actor }) =>
    createShop(db, actor, shop).catch((error: unknown) => {
      throw toOptionError(error);
    }),
  );
  await printResult({ json }, toJson(account), `Created account ${account.id} "${printable(account.name)}".`);
}

async function printAccounts(options: { json?: boolean }): Promise<void> {
  const accounts = await withExistingDatabase(({ db }) => listApiShops(db));
  const rows = accounts.map((account) => [
    String(account.id),
    account.name,
    account.shopId ?? '-',
    account.currency ?? '-',
    shortTime(account.createdAt),
  ]);
  const emptyText = 'There are no accounts yet. Create one with "account create --name NAME".';
  await printResult(
    options,
    accounts.map(toJson),
    rows.length === 0 ? emptyText : formatTable(['ID', 'NAME', 'SHOP ID', 'CURRENCY', 'CREATED'], rows),
  );
}

/** `account`: the shops whose orders are stored. */
export function addAccountCommands(program: Command): void {
  const group = addCommand(program, 'account', 'shop accounts, whose orders are stored', 'account list');
  addJsonCommand(
    group,
    'create',
    'create a shop account',
    'account create --name "My shop" --shop-id my-shop-1',
  )
    .requiredOption('--name <name>', 'its name', createParser(nameSchema))
    .option('--shop-id <id>', "the marketplace's ID for the shop", createParser(marketplaceShopIdSchema))
    .option('--currency <code>', 'the currency of its amounts, such as USD', createParser(currencySchema))
    .option(
      '--time-zone <name>',
      "where the marketplace ends the shop's days; America/New_York by default",
      createParser(timeZoneSchema),
    )
    .action(createAccount);
  addJsonCommand(group, 'list', 'list the shop accounts', 'account list --json').action(printAccounts);
  addCommand(
    group,
    'export',
    'write the data of a shop account to stdout, as gzipped lines of JSON',
    'account export --account 1 > my-shop.ndjson.gz',
  )
    .requiredOption('--account <id>', 'shop account', createParser(idTextSchema))
    .action(exportAccount);
  addJsonCommand(
    group,
    'delete',
    'delete a shop account with its orders, imports, replies and statistics; this cannot be undone',
    'account delete --account 1 --name "My shop"',
  )
    .requiredOption('--account <id>', 'shop account', createParser(idTextSchema))
    .requiredOption('--name <name>', 'its name, to confirm', createParser(nameSchema))
    .action(deleteAccount);
}
