import type { Command } from 'commander';
import { durationSchema, nameSchema } from '../core/fields';
import { type ApiKeyView, createApiKey, listApiKeys, revokeApiKey } from '../identity/key-service';
import { withServices } from './open';
import { checked, command, idSchema, jsonCommand } from './options';
import { answer, printable, shortTime, table } from './output';

type State = 'active' | 'expired' | 'revoked';

function stateOf(key: ApiKeyView, now: number): State {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt.getTime() <= now ? 'expired' : 'active';
}

const view = (key: ApiKeyView, now: number) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  last_four: key.lastFour,
  state: stateOf(key, now),
  created_by: key.createdBy,
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
});

async function create(options: { name: string; expires?: number; json?: boolean }): Promise<void> {
  const made = await withServices(({ services, actor }) => {
    const expiresAt = options.expires === undefined ? null : new Date(services.now() + options.expires);
    return createApiKey(services.db, actor, { name: options.name, expiresAt });
  });
  const { id, key, prefix, expiresAt } = made;
  await answer(
    options,
    { id, name: options.name, key, prefix, expires_at: expiresAt?.toISOString() ?? null },
    [
      `API key ${id} "${printable(options.name)}" is made. Keep it; it is not shown again.`,
      '',
      `  ${key}`,
      '',
      expiresAt === null ? 'It does not expire.' : `It expires ${shortTime(expiresAt)}.`,
    ].join('\n'),
  );
}

async function list(options: { json?: boolean }): Promise<void> {
  const { keys, now } = await withServices(async ({ services }) => ({
    keys: await listApiKeys(services.db),
    now: services.now(),
  }));
  const rows = keys.map((key) => [
    String(key.id),
    key.name,
    `${key.prefix}...${key.lastFour}`,
    stateOf(key, now),
    shortTime(key.createdAt),
    shortTime(key.expiresAt),
    shortTime(key.lastUsedAt),
  ]);
  const names = ['ID', 'NAME', 'KEY', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'];
  const none = 'There are no API keys yet. "api-key create --name NAME" makes one.';
  await answer(
    options,
    keys.map((key) => view(key, now)),
    rows.length === 0 ? none : table(names, rows),
  );
}

async function revoke(id: number, options: { json?: boolean }): Promise<void> {
  const { revokedAt } = await withServices(({ services, actor }) => revokeApiKey(services.db, actor, id));
  await answer(
    options,
    { id, revoked_at: revokedAt.toISOString() },
    `API key ${id} is revoked since ${shortTime(revokedAt)}; it is refused from the next request on.`,
  );
}

/** `api-key`: the keys of integrations. */
export function addApiKeyCommands(program: Command): void {
  const group = command(program, 'api-key', 'keys with which integrations call the API', 'api-key list');
  jsonCommand(
    group,
    'create',
    'make a key; it is shown once',
    'api-key create --name "ERP bridge" --expires 90d',
  )
    .requiredOption('--name <name>', 'what it is for', checked(nameSchema))
    .option(
      '--expires <span>',
      'when it expires: 90d, 12h, 30m or 2w from now; never by default',
      checked(durationSchema),
    )
    .action(create);
  jsonCommand(group, 'list', 'list the keys, newest first', 'api-key list --json').action(list);
  jsonCommand(group, 'revoke', 'revoke a key; it is refused from the next request on', 'api-key revoke 3')
    .argument('<id>', 'its id, which "api-key list" shows', checked(idSchema))
    .action(revoke);
}
