import { createHash } from 'node:crypto';
import { z } from 'zod';

/**
 * The version of the format (docs/backups.md). A backup is a gzipped SQL script like those of pg_dump: a header in a comment, a
 * COPY block for each table, the sequences, and a last line with the number of rows of each table and the SHA-256 of everything
 * before it.
 */
const FORMAT_VERSION = 1;
const HEADER_PREFIX = '-- Brickdesk backup ';
const END_PREFIX = '-- End of Brickdesk backup ';
const BLOCK_END = Buffer.from('\\.\n');
const BLOCK_END_AFTER_ROW = Buffer.from('\n\\.\n');
const NEWLINE = 0x0a;
/** The maximum length of the lines outside COPY blocks. A file with a longer line is not a backup: we never write longer ones. */
const MAX_LINE_LENGTH = 1_048_576;

const headerSchema = z.object({
  format: z.literal(FORMAT_VERSION),
  /** The versions of Brickdesk and of PostgreSQL that wrote the backup. */
  version: z.string(),
  postgres: z.string(),
  created_at: z.iso.datetime(),
  /** The migrations applied to the tables, oldest first. */
  migrations: z.array(z.string()),
});

/** A header as later versions write it. What follows the header may differ in any way. */
const newerHeaderSchema = z.object({ format: z.int().gt(FORMAT_VERSION), version: z.string() });

const endSchema = z.object({ rows: z.record(z.string(), z.int().min(0)), sha256: z.string() });

export type BackupHeader = Omit<z.output<typeof headerSchema>, 'format'>;

/** The contents of a complete and undamaged backup. */
export interface BackupContents extends BackupHeader {
  /** Row counts by table. */
  rows: Record<string, number>;
}

/** Thrown if a backup cannot be written, read or restored. The message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Returns the first line of a backup. */
export const headerLine = (header: BackupHeader): string =>
  `${HEADER_PREFIX}${JSON.stringify({ format: FORMAT_VERSION, ...header })}\n`;

/** Returns the last line of a backup: the row counts and the checksum that verify everything before it. */
export const endLine = (rowCounts: Record<string, number>, sha256: string): string =>
  `${END_PREFIX}${JSON.stringify({ rows: rowCounts, sha256 })}\n`;

/** The parts of a backup, in order. */
export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; table: string; columns: string[] }
  /** Rows of the table in COPY's text format. A row may be split at any byte and continue in the next part. */
  | { kind: 'rows'; data: Buffer }
  | { kind: 'table-end' }
  | { kind: 'sequence'; name: string; value: string }
  | { kind: 'end'; rows: Record<string, number> };

const COPY_LINE = /^COPY "([a-z_]+)" \(("[a-z_0-9]+"(?:, "[a-z_0-9]+")*)\) FROM stdin;$/;
const SEQUENCE_LINE = /^SELECT pg_catalog\.setval\('([a-z_0-9]+)', (\d+), true\);$/;

const damagedError = (problem: string): BackupError =>
  new BackupError(`The backup is damaged: ${problem}. Use another one.`);

function parseJson<T>(schema: z.ZodType<T>, text: string, partName: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damagedError(`its ${partName} cannot be read`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  if (newerHeaderSchema.safeParse(value).success)
    throw new BackupError(
      'The backup was written by a newer version of Brickdesk. Restore it with that version or a newer one.',
    );
  throw damagedError(`its ${partName} cannot be read`);
}

function countNewlines(data: Buffer): number {
  let count = 0;
  for (let index = data.indexOf(NEWLINE); index !== -1; index = data.indexOf(NEWLINE, index + 1)) count++;
  return count;
}

/**
 * Reads the parts of a backup from a stream. Needs memory for about one chunk, however long a row is. Checks that the header comes
 * first, that the row counts and SHA-256 in the last line match the data, and that nothing follows.
 *
 * @throws BackupError if the data is not a backup, is truncated or modified, or was written by a newer version
 */
export async function* readBackup(source: AsyncIterable<Buffer>): AsyncGenerator<BackupPart> {
  const hash = createHash('sha256');
  const rowCounts: Record<string, number> = {};
  let rest: Buffer = Buffer.alloc(0);
  let table: string | null = null;
  let isAtLineStart = true;
  let hasHeader = false;
  let hasEnded = false;

  function* readLines(): Generator<BackupPart> {
    while (table === null) {
      if (hasEnded && rest.length > 0) throw damagedError('there is data after its last line');
      const newlineIndex = rest.indexOf(NEWLINE);
      if (newlineIndex === -1) {
        if (rest.length > MAX_LINE_LENGTH) throw new BackupError('The file is not a backup of Brickdesk.');
        return;
      }
      const line = rest.subarray(0, newlineIndex).toString('utf8');
      const bytes = rest.subarray(0, newlineIndex + 1);
      rest = rest.subarray(newlineIndex + 1);
      if (!hasHeader) {
        if (!line.startsWith(HEADER_PREFIX)) throw new BackupError('The file is not a backup of Brickdesk.');
        const { format: _, ...header } = parseJson(headerSchema, line.slice(HEADER_PREFIX.length), 'header');
        hasHeader = true;
        hash.update(bytes);
        yield { kind: 'header', header };
        continue;
      }
      if (line.startsWith(END_PREFIX)) {
        const { rows, sha256 } = parseJson(endSchema, line.slice(END_PREFIX.length), 'last line');
        if (hash.digest('hex') !== sha256 || JSON.stringify(rows) !== JSON.stringify(rowCounts))
          throw damagedError('its contents have changed');
        hasEnded = true;
        yield { kind: 'end', rows };
        continue;
      }
      hash.update(bytes);
      const copyMatch = COPY_LINE.exec(line);
      const sequenceMatch = SEQUENCE_LINE.exec(line);
      if (copyMatch) {
        table = copyMatch[1]!;
        rowCounts[table] = 0;
        isAtLineStart = true;
        yield { kind: 'table', table, columns: JSON.parse(`[${copyMatch[2]}]`) as string[] };
      } else if (sequenceMatch) {
        yield { kind: 'sequence', name: sequenceMatch[1]!, value: sequenceMatch[2]! };
      } else if (line !== '' && !line.startsWith('--')) {
        throw damagedError('it has an unexpected line');
      }
    }
  }

  function takeBytes(length: number): Buffer {
    const data = rest.subarray(0, length);
    rest = rest.subarray(length);
    hash.update(data);
    isAtLineStart = data.at(-1) === NEWLINE;
    rowCounts[table!]! += countNewlines(data);
    return data;
  }

  function* readRows(): Generator<BackupPart> {
    const isAtBlockEnd = isAtLineStart && rest.subarray(0, BLOCK_END.length).equals(BLOCK_END);
    const endIndex = isAtBlockEnd ? 0 : rest.indexOf(BLOCK_END_AFTER_ROW) + 1;
    if (isAtBlockEnd || endIndex > 0) {
      if (endIndex > 0) yield { kind: 'rows', data: takeBytes(endIndex) };
      hash.update(BLOCK_END);
      rest = rest.subarray(BLOCK_END.length);
      table = null;
      yield { kind: 'table-end' };
    } else if (rest.length > BLOCK_END.length) {
      yield { kind: 'rows', data: takeBytes(rest.length - BLOCK_END.length) };
    }
  }

  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let lengthBefore: number;
    do {
      lengthBefore = rest.length;
      if (table === null) yield* readLines();
      if (table !== null) yield* readRows();
    } while (rest.length > 0 && rest.length < lengthBefore);
  }
  if (!hasHeader) throw new BackupError('The file is not a backup of Brickdesk.');
  if (!hasEnded) throw damagedError('its end is missing');
}
