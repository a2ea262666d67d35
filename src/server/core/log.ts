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
function toLoggedError(error: unknown, depth = 0): unknown {
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
      ? { causes: causes.slice(0, 5).map((nested: unknown) => toLoggedError(nested, depth + 1)) }
      : {}),
  };
}

/**
 * Creates the service's log: one JSON object per line. Bodies, headers and secrets are never passed to it; the paths below are
 * redacted all the same, in case an entry contains one by mistake.
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

/** The maximum size of the collected lines. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

/** How long lines are collected, in milliseconds: long enough for hundreds of requests, too short for anyone to notice. */
const FLUSH_DELAY_MS = 10;

/**
 * Opens a stream that writes a log to standard output. Collects lines for {@link FLUSH_DELAY_MS} and writes them together, because a
 * system call per line would take a seventh of the time needed to refuse a request. Writes warnings and errors at once, and
 * everything when the process exits.
 */
export function openStandardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true });
  // A buffer, because strings that are collected for this long would be promoted to V8's old generation, together with the pieces
  // that each was concatenated from.
  const lineBuffer = Buffer.alloc(MAX_BUFFERED_BYTES);
  let collectedBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = lineBuffer.toString('utf8', 0, collectedBytes);
    collectedBytes = 0;
    if (text !== '') output.write(text);
  };
  process.on('exit', flush);
  return {
    // Makes pino set `lastLevel`.
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line) {
      const maxBytes = line.length * MAX_BYTES_PER_UNIT;
      if (collectedBytes + maxBytes > MAX_BUFFERED_BYTES) flush();
      if (maxBytes > MAX_BUFFERED_BYTES) {
        output.write(line);
        return;
      }
      collectedBytes += lineBuffer.write(line, collectedBytes);
      if (this.lastLevel >= pino.levels.values.warn!) flush();
      else timer ??= setTimeout(flush, FLUSH_DELAY_MS).unref();
    },
  } as DestinationStream & { lastLevel: number };
}
