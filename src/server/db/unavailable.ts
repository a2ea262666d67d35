const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  // Prisma's codes: login refused (two), no such database, not reachable, timed out (two), closed by the server, no free connection
  // in the pool, a transaction that took too long, too many connections.
  'P1000',
  'P1010',
  'P1003',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'P2037',
]);

/** Messages of errors that no code above covers: the connection timed out, was lost, or stopped responding, or none was free. */
const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client (?:has encountered a connection error|was closed)|Unable to start a transaction in the given time/;

/** PostgreSQL's code for a write in a read-only transaction. */
export const READ_ONLY_CODE = '25006';

/**
 * Returns whether the error means that the database cannot be used now: a network error, a timeout, PostgreSQL's classes 08
 * (connection), 57P (shutdown), 53 (no resources), 28 (login refused) and 3D (no such database), or a primary that has become a
 * standby and refuses to write.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (UNAVAILABLE_CODES.has(code) || /^(08|57P|53|28|3D)/.test(code)) return true;
  if (UNAVAILABLE_MESSAGES.test(error.message) || isReadOnlyError(error)) return true;
  return error.cause !== undefined && isDatabaseUnavailable(error.cause);
}

const isReadOnlyError = (error: Error): boolean =>
  ('code' in error && error.code === READ_ONLY_CODE) || postgresCodeOf(error) === READ_ONLY_CODE;

/** Returns whether the error, or one of its causes, says that a read-only database refused a write. */
export function isRefusedWrite(error: unknown): boolean {
  return error instanceof Error && (isReadOnlyError(error) || isRefusedWrite(error.cause));
}

/** Returns PostgreSQL's own code of an error from Prisma, if it has one. */
export function postgresCodeOf(error: Error): unknown {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } };
  return meta?.driverAdapterError?.cause?.originalCode;
}
