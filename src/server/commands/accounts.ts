import type { Command } from 'commander';
import { englishProblem, isServiceError } from '../core/errors';
import { marketplaceShopIdSchema, nameSchema, timeZoneSchema } from '../core/fields';
import type { Problem } from '../core/reason';
import { sentenceOf } from '../core/sentence';
import { type ApiShop, createShop, listAccounts, type NewShop } from '../shops/account-service';
import { currencySchema } from '../shops/schema';
import { withServices } from './open';
import { checked, command, jsonCommand } from './options';
import { answer, CommandError, printable, shortTime, table } from './output';

const view = ({ id, name, shopId, currency, timeZone, createdAt }: ApiShop) => ({
  id,
  name,
  shop_id: shopId,
  currency,
  time_zone: timeZone,
  created_at: createdAt.toISOString(),
});

/** The service names its fields; command-line users know options. */
function byOption(error: unknown): unknown {
  if (!isServiceError(error) || error.problems.length === 0) return error;
  const option = (problem: Problem) => `--${problem.path.replaceAll('_', '-')} ${sentenceOf(problem)}`;
  return new CommandError(error.problems.map(option).join('\n'), {
    code: error.code,
    errors: error.problems.map(englishProblem),
  });
}

async function create({ json, ...wanted }: NewShop & { json?: boolean }): Promise<void> {
  const account = await withServices(({ services, actor }) =>
    createShop(services.db, actor, wanted).catch((error: unknown) => {
      throw byOption(error);
    }),
  );
  await answer({ json }, view(account), `Account ${account.id} "${printable(account.name)}" is made.`);
}

async function list(options: { json?: boolean }): Promise<void> {
  const accounts = await withServices(({ services }) => listAccounts(services.db));
  const rows = accounts.map((account) => [
    String(account.id),
    account.name,
    account.shopId ?? '-',
    account.currency ?? '-',
    shortTime(account.createdAt),
  ]);
  const none = 'There are no accounts yet. "account create --name NAME" makes one.';
  await answer(
    options,
    accounts.map(view),
    rows.length === 0 ? none : table(['ID', 'NAME', 'SHOP ID', 'CURRENCY', 'CREATED'], rows),
  );
}

/** `account`: the shops whose orders are stored. */
export function addAccountCommands(program: Command): void {
  const group = command(program, 'account', 'shop accounts, whose orders are kept', 'account list');
  jsonCommand(group, 'create', 'make a shop account', 'account create --name "My shop" --shop-id my-shop-1')
    .requiredOption('--name <name>', 'its name', checked(nameSchema))
    .option('--shop-id <id>', "the marketplace's own text for the shop", checked(marketplaceShopIdSchema))
    .option('--currency <code>', 'what its amounts are in, such as USD', checked(currencySchema))
    .option(
      '--time-zone <name>',
      "where the marketplace ends the shop's days; America/New_York by default",
      checked(timeZoneSchema),
    )
    .action(create);
  jsonCommand(group, 'list', 'list the shop accounts', 'account list --json').action(list);
}
