import type { Command } from 'commander';
import { z } from 'zod';
import { durationSchema, nameSchema } from '../core/fields';
import { idTextSchema } from '../core/ids';
import { MAX_GRACE_HOURS } from '../identity/keys/bounds';
import { revokeApiKey, updateApiKey } from '../identity/keys/change-service';
import { rotateApiKey } from '../identity/keys/rotation-service';
import { addressRangeSchema, scopeSchema } from '../identity/keys/schema';
import { createApiKey } from '../identity/keys/service';
import { listApiKeys } from '../identity/keys/view-service';
import { requireKnownScopes } from '../identity/scope';
import { printCalls } from './api-key-calls';
import { withExistingDatabase, withMigratedDatabase } from './open';
import { addCommand, addJsonCommand, createParser, createRepeatableParser } from './options';
import { formatTable, printable, printResult, shortTime } from './output';

const HOUR_MS = 3_600_000;

/** Returns the lines that show a new key. The key has a line of its own, so that it is easy to copy. */
const keyLines = (key: string) => ['', `  ${key}`, ''];

interface CreateOptions {
  name: string;
  /** In how many milliseconds the key expires. */
  expires?: number;
  scope: string[];
  address: string[];
  json?: boolean;
}

/**
 * Refuses unknown scopes. Loads the operations only if there are scopes, because loading them takes as long as the rest of the
 * command.
 *
 * @throws ServiceError `validation_failed` naming each scope that is not an operation
 */
async function checkScopes(scopes: readonly string[]): Promise<void> {
  if (scopes.length === 0) return;
  const [{ listKeyOperations }, { appRouter }] = await Promise.all([
    import('../api/operations'),
    import('../api/router'),
  ]);
  requireKnownScopes(listKeyOperations(appRouter), scopes, (index) => `--scope ${scopes[index]}`);
}

async function createKey(options: CreateOptions): Promise<void> {
  const { name, scope: scopes, address: addressRanges } = options;
  await checkScopes(scopes);
  const createdKey = await withMigratedDatabase(({ db, actor }) => {
    const expiresAt = options.expires === undefined ? null : new Date(Date.now() + options.expires);
    return createApiKey(db, actor, { name, expiresAt, scopes, addressRanges });
  });
  const { id, key, prefix, expiresAt } = createdKey;
  const expires_at = expiresAt?.toISOString() ?? null;
  await printResult(
    options,
    { id, name, key, prefix, expires_at, scopes, address_ranges: addressRanges },
    [
      `Created API key ${id} "${printable(name)}". Keep it; it is not shown again.`,
      ...keyLines(key),
      expiresAt === null ? 'It does not expire.' : `It expires ${shortTime(expiresAt)}.`,
      ...(scopes.length > 0 ? [`It may call ${scopes.join(', ')} only.`] : []),
      ...(addressRanges.length > 0 ? [`It may be used from ${addressRanges.join(', ')} only.`] : []),
    ].join('\n'),
  );
}

async function printKeys(options: { json?: boolean }): Promise<void> {
  const keys = await withExistingDatabase(({ config, db }) =>
    listApiKeys({ db, now: Date.now, replyTokensPerDay: config.REPLY_TOKENS_PER_DAY }),
  );
  const rows = keys.map((key) => [
    String(key.id),
    key.name,
    `${key.prefix}...${key.last_four}`,
    key.state,
    shortTime(key.created_at),
    shortTime(key.expires_at),
    shortTime(key.last_used_at),
    key.rotation ? `key ${key.rotation.to_id}, ${key.rotation.calls_since} calls since` : '-',
  ]);
  const columnNames = ['ID', 'NAME', 'KEY', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'ROTATED TO'];
  const emptyText = 'There are no API keys yet. Create one with "api-key create --name NAME".';
  await printResult(options, keys, rows.length === 0 ? emptyText : formatTable(columnNames, rows));
}

async function renameKey(id: number, options: { name: string; json?: boolean }): Promise<void> {
  const { name } = options;
  await withMigratedDatabase(({ db, actor }) => updateApiKey(db, actor, id, { name }));
  await printResult(options, { id, name }, `API key ${id} is now called "${printable(name)}".`);
}

/** Parses a number of tokens; returns null for `default`, which means the configured number. */
const parseTokens = (text: string) => (text === 'default' ? null : createParser(tokensSchema)(text));

const tokensSchema = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number, or default')
  .transform(Number)
  .refine((tokens) => tokens <= 1_000_000_000, 'must be at most 1000000000');

async function setBudget(id: number, options: { tokens: number | null; json?: boolean }): Promise<void> {
  const { tokens } = options;
  await withMigratedDatabase(({ db, actor }) => updateApiKey(db, actor, id, { replyTokensPerDay: tokens }));
  const amount = tokens === null ? 'the configured number of tokens' : `${tokens} tokens`;
  await printResult(
    options,
    { id, reply_tokens_per_day: tokens },
    `Replies of API key ${id} may use ${amount} a day (UTC).`,
  );
}

async function rotateKey(id: number, options: { grace: number; json?: boolean }): Promise<void> {
  const graceHours = options.grace / HOUR_MS;
  const rotation = await withMigratedDatabase(({ db, actor }) => rotateApiKey(db, actor, id, graceHours));
  const { key, prefix, old: oldKey } = rotation;
  const expires_at = rotation.expiresAt?.toISOString() ?? null;
  const old_expires_at = oldKey.expiresAt.toISOString();
  await printResult(
    options,
    { id: rotation.id, key, prefix, expires_at, rotated_from_id: id, old_expires_at },
    [
      `Created API key ${rotation.id}, which replaces key ${id}. Keep it; it is not shown again.`,
      ...keyLines(key),
      graceHours === 0
        ? `Key ${id} is refused from the next request on.`
        : `Key ${id} is refused from ${shortTime(oldKey.expiresAt)} on; "api-key calls ${id}" shows who still uses it.`,
    ].join('\n'),
  );
}

async function revokeKey(id: number, options: { json?: boolean }): Promise<void> {
  const { revokedAt } = await withMigratedDatabase(({ db, actor }) => revokeApiKey(db, actor, id));
  await printResult(
    options,
    { id, revoked_at: revokedAt.toISOString() },
    `API key ${id} was revoked at ${shortTime(revokedAt)}; it is refused from the next request on.`,
  );
}

const graceSchema = durationSchema.refine(
  (ms) => ms <= MAX_GRACE_HOURS * HOUR_MS,
  `must be at most ${MAX_GRACE_HOURS}h`,
);

/** Parses a duration, or 0 in any unit or in none; returns milliseconds. */
const parseGracePeriod = (text: string) => (/^0[mhdw]?$/.test(text) ? 0 : createParser(graceSchema)(text));

const KEY_ID_HELP = 'its id, which "api-key list" shows';

/** `api-key`: the keys of integrations. */
export function addApiKeyCommands(program: Command): void {
  const group = addCommand(program, 'api-key', 'keys with which integrations call the API', 'api-key list');
  addJsonCommand(
    group,
    'create',
    'create a key; it is shown once',
    'api-key create --name "ERP bridge" --expires 90d --address 203.0.113.0/24',
  )
    .requiredOption('--name <name>', 'what it is for', createParser(nameSchema))
    .option(
      '--expires <span>',
      'when it expires: 90d, 12h, 30m or 2w from now; never by default',
      createParser(durationSchema),
    )
    .option(
      '--scope <operation>',
      'an operation that it may call; can be repeated; all by default',
      createRepeatableParser(scopeSchema),
      [],
    )
    .option(
      '--address <range>',
      'an address or range that it may be used from; can be repeated; all by default',
      createRepeatableParser(addressRangeSchema),
      [],
    )
    .action(createKey);
  addJsonCommand(group, 'list', 'list the keys, newest first', 'api-key list --json').action(printKeys);
  addJsonCommand(group, 'rename', 'rename a key', 'api-key rename 3 --name "ERP bridge"')
    .argument('<id>', KEY_ID_HELP, createParser(idTextSchema))
    .requiredOption('--name <name>', 'what it is for', createParser(nameSchema))
    .action(renameKey);
  addJsonCommand(
    group,
    'budget',
    'limit the tokens that its replies to buyers may use in a UTC day',
    'api-key budget 3 --tokens 500000',
  )
    .argument('<id>', KEY_ID_HELP, createParser(idTextSchema))
    .requiredOption('--tokens <number>', 'a whole number, or default for REPLY_TOKENS_PER_DAY', parseTokens)
    .action(setBudget);
  addJsonCommand(
    group,
    'rotate',
    'create a key that replaces another; it is shown once',
    'api-key rotate 3 --grace 2h',
  )
    .argument('<id>', KEY_ID_HELP, createParser(idTextSchema))
    .requiredOption(
      '--grace <span>',
      `how long the old key stays valid: from 0 to ${MAX_GRACE_HOURS}h, or 30m`,
      parseGracePeriod,
    )
    .action(rotateKey);
  addJsonCommand(group, 'calls', 'show the last calls with a key, newest first', 'api-key calls 3 --errors')
    .argument('<id>', KEY_ID_HELP, createParser(idTextSchema))
    .option('--errors', 'only calls that were refused or failed')
    .action(printCalls);
  addJsonCommand(group, 'revoke', 'revoke a key; it is refused from the next request on', 'api-key revoke 3')
    .argument('<id>', KEY_ID_HELP, createParser(idTextSchema))
    .action(revokeKey);
}
