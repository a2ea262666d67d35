import type { FirstOwner } from '../identity/users/service';

/** What the printed commands need to find this service's database and addresses. */
export interface CommandEnvironment {
  /** The configured data folder, as an absolute path; undefined if commands find the default one themselves. */
  dataDir: string | undefined;
  /** Whether the database is external. Its URL, which contains a password, is not printed with the commands. */
  isExternalDatabase: boolean;
  /** The service's URL, which "oauth-client create" prints as the issuer; undefined if it is the default one. */
  appUrl: string | undefined;
}

/** Quotes a string as one word for a POSIX shell. */
function quoteForShell(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns what commands begin with in another terminal, which does not share our environment. */
export function commandPrefixFor({ dataDir, isExternalDatabase, appUrl }: CommandEnvironment): string {
  const variables = [
    ...(isExternalDatabase || dataDir === undefined ? [] : [`DATA_DIR=${quoteForShell(dataDir)}`]),
    ...(appUrl === undefined ? [] : [`APP_URL=${quoteForShell(appUrl)}`]),
  ];
  return [...variables, 'npm run -s cli --'].join(' ');
}

/** An export that ships with the sources, for trying the import without a file of your own. */
const SAMPLE_FILE = 'tests/fixtures/sold-order-items-us.csv';

/** Returns what only the first start prints: the only copy of the key and of a generated password, and the next steps. */
export function firstStartText(
  owner: FirstOwner,
  service: { appUrl: string; adminPrefix: string; commands: CommandEnvironment },
): string {
  const { appUrl, adminPrefix, commands } = service;
  const password = owner.password === null ? 'the one in ADMIN_PASSWORD' : owner.password;
  const commandPrefix = commandPrefixFor(commands);
  const environmentHint = commands.isExternalDatabase
    ? ', with the same DATABASE_URL and NEXTAUTH_SECRET'
    : '';
  return `
  First start. Keep these; they are not shown again.

    Owner     ${owner.email}
    Password  ${password}
    API key   ${owner.key}

  Sign in at ${appUrl}${adminPrefix}

  Next, in another terminal in this folder${environmentHint}:

    ${commandPrefix} account create --name "My shop"
    ${commandPrefix} orders import ${SAMPLE_FILE} --account 1

  or over HTTP:

    curl ${quoteForShell(`${appUrl}/api/orders/import`)} -H "X-Api-Key: ${owner.key}" -H "Content-Type: application/json" \\
      -d '{"account_id": 1, "rows": [{"receipt_id": "1001", "title": "Fox Sticker", "quantity": 1, "price": 4.49, "sale_date": "08/22/2026"}]}'
`;
}

/** Returns what every start prints: the version, the service's addresses, where the data is, and how to run commands. */
export function startedText(service: {
  version: string;
  appUrl: string;
  adminPrefix: string;
  dataLocation: string;
  commands: CommandEnvironment;
}): string {
  return `
  Brickdesk ${service.version} is ready.

    Service   ${service.appUrl}
    Admin     ${service.appUrl}${service.adminPrefix}
    API       ${service.appUrl}/docs/api
    Database  ${service.dataLocation}
    Commands  ${commandPrefixFor(service.commands)} --help

  Ctrl-C stops it.
`;
}
