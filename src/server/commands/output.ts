import { CommanderError } from 'commander';
import { ConfigError } from '../config/config';
import { errorEnvelope, isServiceError } from '../core/errors/errors';
import { EmbeddedDatabaseError } from '../db/embedded';
import { ExternalDatabaseError, explainRefusedStatement } from '../db/external-database';
import { isDatabaseUnavailable } from '../db/unavailable';

/** A failure as shown to the user. `members` are added to the error's JSON, `lines` to its text. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly members: Record<string, unknown> = {},
    readonly lines: readonly string[] = [],
  ) {
    super(message);
  }
}

/** Thrown if the reader of our output has exited, as `head` does once it has enough lines. Not a failure. */
class OutputClosedError extends Error {
  override readonly name = 'OutputClosedError';
}

/** Writes to stdout and resolves once the text has been handed over, so that a slow reader slows the writer down. */
export function write(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve();
      else if ('code' in error && error.code === 'EPIPE') reject(new OutputClosedError());
      else reject(new CommandError(`The output cannot be written: ${error.message}`));
    });
  });
}

/** Tells the user what a command is waiting for. On stderr, because stdout is for the result. */
export function printNotice(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Prints a command's result: one JSON document with --json, otherwise text. */
export function printResult(options: { json?: boolean }, document: unknown, text: string): Promise<void> {
  return write(options.json ? `${JSON.stringify(document)}\n` : `${text}\n`);
}

/** Returns the text on one line, without control characters that a terminal would obey. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
}

/** Returns the rows in columns separated by two spaces, under the columns' names. Control characters in the rows become spaces. */
export function formatTable(columnNames: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columnNames, ...rows.map((row) => row.map(printable))];
  const widths = columnNames.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Returns an instant as tables show it, such as `2026-08-22 04:00Z`, or a dash if there is none. */
export function shortTime(instant: Date | string | null): string {
  return instant === null ? '-' : `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}

interface Explanation {
  message: string;
  members?: Record<string, unknown>;
  lines?: readonly string[];
}

function explain(error: unknown): Explanation {
  if (error instanceof CommandError) return error;
  if (error instanceof ConfigError) {
    return { message: `The configuration is not valid. ${error.message}`.trim() };
  }
  if (error instanceof EmbeddedDatabaseError) {
    return { message: error.message, lines: error.detail ? error.detail.split('\n') : [] };
  }
  if (isServiceError(error)) {
    const { success: _, request_id: __, message: ___, ...members } = errorEnvelope(error, '');
    return { message: error.message, members };
  }
  if (error instanceof ExternalDatabaseError) return { message: error.message };
  const refusal = explainRefusedStatement(error);
  if (refusal !== null) return { message: refusal };
  if (isDatabaseUnavailable(error))
    return { message: 'The database cannot be reached, or the connection was lost. Try again.' };
  // Prisma's messages include the position in our source; the last line says what happened.
  const lines = (error instanceof Error ? error.message : String(error))
    .split('\n')
    .filter((line) => line.trim() !== '');
  return { message: `Unexpected error: ${lines.at(-1)?.trim() ?? 'the cause is unknown'}` };
}

/**
 * Reports a failure on stderr, and with --json also as a JSON document on stdout. Never prints a stack trace.
 *
 * @returns the exit code: 0 if nothing failed (help or the version was requested, or the reader of our output exited), otherwise 1
 */
export async function reportFailure(error: unknown, json: boolean): Promise<number> {
  if (error instanceof OutputClosedError) return 0;
  let { message, members, lines }: Explanation = { message: '' };
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Commander has already written to stderr.
    message =
      error.code === 'commander.help'
        ? 'No command was given. Add --help to list them.'
        : error.message.replace(/^error: /, '');
  } else {
    ({ message, members, lines } = explain(error));
    const text = [message, ...(lines ?? [])].join('\n');
    await new Promise<void>((resolve) => process.stderr.write(`${text}\n`, () => resolve()));
  }
  if (json) await write(`${JSON.stringify({ error: { message, ...members } })}\n`).catch(() => undefined);
  return 1;
}
