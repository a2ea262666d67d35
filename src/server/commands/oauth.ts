import type { Command } from 'commander';
import { z } from 'zod';
import { nameSchema } from '../core/fields';
import {
  createOAuthClient,
  listOAuthClients,
  type OAuthClientView,
  revokeOAuthClient,
} from '../identity/oauth/client-service';
import { redirectUriSchema } from '../identity/oauth/schema';
import { hasActiveSigningKey, rotateSigningKey } from '../identity/oauth/signing-key-service';
import { withExistingDatabase, withMigratedDatabase } from './open';
import { addCommand, addJsonCommand, createParser } from './options';
import { formatTable, printable, printResult, shortTime } from './output';

const toJson = (client: OAuthClientView) => ({
  id: client.id,
  name: client.name,
  redirect_uris: client.redirectUris,
  public: client.public,
  state: client.revokedAt === null ? 'active' : 'revoked',
  created_by: client.createdBy,
  created_at: client.createdAt.toISOString(),
  revoked_at: client.revokedAt?.toISOString() ?? null,
});

interface CreateOptions {
  name: string;
  redirectUri: string[];
  public?: boolean;
  json?: boolean;
}

async function createClient({ name, redirectUri, public: isPublic = false, ...options }: CreateOptions) {
  const { issuer, id, secret } = await withMigratedDatabase(async ({ db, actor, config }) => {
    const input = { name, redirect_uris: redirectUri, public: isPublic };
    return { issuer: config.APP_URL, ...(await createOAuthClient(db, actor, input)) };
  });
  const lines = [
    `Created client "${printable(name)}".${secret === null ? '' : ' Keep its secret; it is not shown again.'}`,
    '',
    `  issuer         ${issuer}`,
    `  client id      ${id}`,
    ...(secret === null ? ['', 'It is public: it has no secret.'] : [`  client secret  ${secret}`]),
  ];
  await printResult(
    options,
    { id, name, redirect_uris: redirectUri, public: isPublic, secret, issuer },
    lines.join('\n'),
  );
}

async function printClients(options: { json?: boolean }): Promise<void> {
  const clients = await withExistingDatabase(({ db }) => listOAuthClients(db));
  const rows = clients.map((client) => [
    client.id,
    client.name,
    client.public ? 'public' : 'confidential',
    client.revokedAt === null ? 'active' : 'revoked',
    shortTime(client.createdAt),
    client.redirectUris.join(' '),
  ]);
  const columnNames = ['ID', 'NAME', 'KIND', 'STATE', 'CREATED', 'REDIRECT URIS'];
  const emptyText = 'There are no clients yet. Create one with "oauth-client create".';
  await printResult(
    options,
    clients.map(toJson),
    rows.length === 0 ? emptyText : formatTable(columnNames, rows),
  );
}

async function revokeClient(id: string, options: { json?: boolean }): Promise<void> {
  const { revokedAt } = await withMigratedDatabase(({ db, actor }) => revokeOAuthClient(db, actor, id));
  await printResult(
    options,
    { id, revoked_at: revokedAt.toISOString() },
    `Client ${id} was revoked at ${shortTime(revokedAt)}; it and its tokens are refused from the next request on.`,
  );
}

async function rotateKey(options: { json?: boolean }): Promise<void> {
  const { id, retiredIds, publishedUntil } = await withMigratedDatabase(
    async ({ db, openSecrets, actor }) => {
      const secrets = await openSecrets({ mustExist: await hasActiveSigningKey(db) });
      return rotateSigningKey({ db, secrets }, actor);
    },
  );
  await printResult(
    options,
    { id, retired: retiredIds, published_until: publishedUntil.toISOString() },
    `Key ${id} signs from now on; running servers start using it within a minute. Signatures of the old key can be checked until ${shortTime(publishedUntil)}.`,
  );
}

const clientIdSchema = z.uuid('must be a client id, which "oauth-client list" shows');

/** `oauth-client`: the clients that sign users in with Brickdesk; `oauth-key`: the keys that sign their id tokens. */
export function addOAuthCommands(program: Command): void {
  const clientGroup = addCommand(
    program,
    'oauth-client',
    'clients that let staff sign in with Brickdesk (OAuth 2.0)',
    'oauth-client list',
  );
  const parseUri = createParser(redirectUriSchema);
  addJsonCommand(
    clientGroup,
    'create',
    'register a client; its secret is shown once',
    'oauth-client create --name Wiki --redirect-uri https://wiki.example/callback',
  )
    .requiredOption(
      '--name <name>',
      'the name that people see when they are asked for consent',
      createParser(nameSchema),
    )
    .requiredOption(
      '--redirect-uri <uri>',
      'the exact address that people are sent back to; can be repeated',
      (uri: string, previous: string[] = []) => [...previous, parseUri(uri)],
    )
    .option(
      '--public',
      'for an app that cannot keep a secret: a page in the browser, or a program on people’s machines',
    )
    .action(createClient);
  addJsonCommand(clientGroup, 'list', 'list the clients, newest first', 'oauth-client list --json').action(
    printClients,
  );
  addJsonCommand(
    clientGroup,
    'revoke',
    'revoke a client; it and its tokens are refused from the next request on',
    'oauth-client revoke 0b2f6c1e-6a63-4c5e-9d0a-2f8f3f0f3a11',
  )
    .argument('<id>', 'its client id, which "oauth-client list" shows', createParser(clientIdSchema))
    .action(revokeClient);
  const keyGroup = addCommand(
    program,
    'oauth-key',
    'keys that sign the id tokens of OAuth 2.0',
    'oauth-key rotate',
  );
  addJsonCommand(
    keyGroup,
    'rotate',
    'create a new key; the old one stays published for another 30 days',
    'oauth-key rotate',
  ).action(rotateKey);
}
