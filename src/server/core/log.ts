import { type DestinationStream, type Logger, pino } from 'pino';
import { maskCredentials } from './credentials';

export type Log = Logger;

/** The fields of an error that administrators need to see where and why it occurred. None holds data that was sent or stored. */
const LOGGED_FIELDS = [
  'name',
  'code',
  'status',
  'severity',
  'table',
  'column',
  'constraint',
  'routine',
] as const;
const MAX_CAUSE_DEPTH = 4;

/**
 * Returns an error as it is logged, with credentials masked; of any other thrown value, only its type. Leaves out what libraries
 * attach to their errors: the request with its headers, the response with its body, the row that a constraint refused, which may
 * contain a password hash.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { message, stack, cause } = error;
  const members = error as unknown as Record<string, unknown>;
  const fields = LOGGED_FIELDS.filter((name) => /^(string|number)$/.test(typeof members[name]));
  const causes = error instanceof AggregateError ? error.errors : cause === undefined ? [] : [cause];
  return {
    // esbuild adds a number to classes that have the same name: `DatabaseError2` is a DatabaseError.
    type: error.constructor.name.replace(/\d+$/, ''),
    message: maskCredentials(message),
    stack: stack && maskCredentials(stack),
    ...Object.fromEntries(fields.map((name) => [name, members[name]])),
    ...(causes.length > 0 && depth < MAX_CAUSE_DEPTH
      ? { causes: causes.slice(0, 5).map((nested: unknown) => describeError(nested, depth + 1)) }
      : {}),
  };
}

/** Never throws, whatever was thrown: an error that cannot be read must not end the work that logs it. */
function toLoggedError(error: unknown): unknown {
  try {
    return describeError(error);
  } catch {
    return { type: 'unreadable error' };
  }
}

/**
 * Creates the service's log: one JSON object per line. Logging never throws. Bodies, headers and secrets are never passed to it; the
 * paths below are redacted all the same, in case an entry contains one by mistake.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (error: unknown) => toLoggedError(error) },
    redact: {
      paths: [
        'key',
        'password',
        'token',
        'secret',
        'authorization',
        '*.password',
        '*.token',
        '*.secret',
        '*.key',
      ],
      censor: '[redacted]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
