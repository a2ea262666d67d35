/** Creates the service's role and database on a running server. */
import pg from 'pg';
import { ROLE, readPassword, SUPERUSER } from './cluster';
import type { DataFolder } from './data-folder';
import { codeOf } from './errors';

/** The database that the service uses. */
export const DATABASE = 'brickdesk';

/** Connects as the service will. If the role or the database is missing, as at the first start, creates them first. */
export async function ensureDatabase(port: number, password: string, dataFolder: DataFolder): Promise<void> {
  const connect = () => withConnection(port, ROLE, password, DATABASE, (client) => client.query('SELECT 1'));
  try {
    await connect();
  } catch (error) {
    // PostgreSQL reports a missing role as a wrong password.
    if (!['28P01', '3D000'].includes(codeOf(error))) throw error;
    await createDatabase(port, password, dataFolder);
    await connect();
  }
}

/**
 * As the superuser, creates the role, its database and the extension that searches need, unless they exist. The role has no
 * privileges beyond owning the database, which is enough for migrations and for the schema of the background jobs.
 */
async function createDatabase(port: number, password: string, dataFolder: DataFolder): Promise<void> {
  const superuserPassword = await readPassword(dataFolder.superuserPasswordFile);
  await withConnection(port, SUPERUSER, superuserPassword, 'postgres', async (client) => {
    const roles = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [ROLE]);
    if (roles.rowCount === 0)
      await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
    const databases = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (databases.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`);
  });
  await withConnection(port, SUPERUSER, superuserPassword, DATABASE, (client) =>
    client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm'),
  );
}

/** Runs `work` on a connection of its own, and closes it. */
async function withConnection(
  port: number,
  user: string,
  password: string,
  database: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const settings = { host: '127.0.0.1', port, user, password, database, ssl: false };
  const client = new pg.Client({ ...settings, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined); // A connection that breaks later also fails the query in progress.
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}
