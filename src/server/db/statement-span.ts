import { beginPart } from '../core/tracing';
import { statementName } from './statement';

/** Prisma's statements name their first table this way. */
const TABLE = /"public"\."(\w+)"/;

/** A statement of ours has its name; another one is named after its first word and, if Prisma wrote it, its table. */
function nameOf(text: string): string {
  const known = statementName(text);
  if (known !== undefined) return known;
  const verb = /^\W*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const table = TABLE.exec(text)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}

const rowsOf = (result: unknown): unknown => (result as { rowCount?: unknown } | null | undefined)?.rowCount;

/**
 * Begins the span of a statement that a connection is about to run. It has the statement's name and the number of rows, neither
 * its text nor its values.
 *
 * @returns ends the span; null for what is no plain statement (a stream of COPY), or if no work is traced
 */
export function beginStatement(query: unknown): ((error: unknown, result?: unknown) => void) | null {
  const text = typeof query === 'string' ? query : (query as { text?: unknown } | null)?.text;
  if (typeof text !== 'string' || (typeof query === 'object' && 'submit' in query!)) return null;
  const attributes = { 'db.system.name': 'postgresql' };
  const end = beginPart(() => nameOf(text), { kind: 'client', attributes });
  if (!end) return null;
  return (error, result) => {
    const rows = rowsOf(result);
    end(error, typeof rows === 'number' ? { 'db.response.returned_rows': rows } : undefined);
  };
}
