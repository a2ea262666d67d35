import pg from 'pg';
import { postgresCodeOf, READ_ONLY_CODE } from './unavailable';

/** The oldest PostgreSQL that is supported and tested. */
const MIN_VERSION = 15;

const INSUFFICIENT_PRIVILEGE_CODE = '42501';

/** Thrown if the database in `DATABASE_URL` cannot be used. The message names that variable and says what to do, in one line. */
export class ExternalDatabaseError extends Error {
  override readonly name = 'ExternalDatabaseError';
}

/** Returns the error for a database that cannot be opened, as after a wrong password. */
export function toOpenError(url: string, error: unknown): ExternalDatabaseError {
  const { hostname, pathname } = new URL(url);
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const reason = errors.map((singleError) => (singleError as Error).message).join(', ');
  return new ExternalDatabaseError(
    `The database ${hostname}${pathname} cannot be opened: ${reason}. Check DATABASE_URL.`,
    { cause: error },
  );
}

/**
 * Connects to the database in `DATABASE_URL`. The caller closes the connection.
 *
 * @throws ExternalDatabaseError if it cannot be opened, is not in UTF-8, or belongs to an older PostgreSQL than supported
 */
export async function connectToExternalDatabase(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // Without a listener, a connection lost while it is idle would end the process. The next query reports the loss.
  client.on('error', () => undefined);
  let server: { encoding: string; version: string } | undefined;
  try {
    await client.connect();
    const { rows } = await client.query<{ encoding: string; version: string }>(
      "SELECT current_setting('server_encoding') AS encoding, current_setting('server_version') AS version",
    );
    server = rows[0];
  } catch (error) {
    throw toOpenError(url, error);
  }
  const problem = server && findServerProblem(server);
  if (!problem) return client;
  await client.end();
  throw new ExternalDatabaseError(`DATABASE_URL: ${problem}`);
}

/** Returns why Brickdesk cannot use a database, and what to do; null if it can. */
export function findServerProblem({
  encoding,
  version,
}: {
  encoding: string;
  version: string;
}): string | null {
  if (Number.parseInt(version, 10) < MIN_VERSION)
    return `the database is in PostgreSQL ${version}; use PostgreSQL ${MIN_VERSION} or later.`;
  // Other encodings cannot store all texts, and SQL_ASCII would count bytes as characters.
  if (encoding !== 'UTF8') return `the database is in ${encoding}; create one with ENCODING 'UTF8'.`;
  return null;
}

/**
 * Explains to the administrator, in one line, why the database has refused a statement: its user lacks a privilege, or it is
 * read-only. Returns null for any other error. Knows the errors of `pg`, of Prisma and of its adapter.
 */
export function explainRefusedStatement(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, cause } = error as Error & { code?: unknown; cause?: { originalCode?: unknown } };
  const codes = [code, cause?.originalCode, postgresCodeOf(error)];
  const [firstLine = ''] = error.message.split('\n', 1);
  if (codes.includes(INSUFFICIENT_PRIVILEGE_CODE))
    return `DATABASE_URL: the database user lacks a privilege: ${firstLine}. Make it the owner of the database, or grant it CREATE on the database and on its schema public.`;
  if (codes.includes(READ_ONLY_CODE))
    return `DATABASE_URL: the database is read-only: ${firstLine}. Use a primary, and a user whose transactions may write.`;
  return explainRefusedStatement(cause);
}
