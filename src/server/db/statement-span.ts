import { beginChildSpan } from '../core/tracing';
import { statementName } from './statement';

/** How Prisma's statements name a table; the first match is the main one. */
const TABLE = /"public"\."(\w+)"/;

/** Returns the name of one of our statements; for any other, its first word and, if Prisma wrote it, its table. */
function nameOf(text: string): string {
  const ownName = statementName(text);
  if (ownName !== undefined) return ownName;
  const verb = /^\W*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const table = TABLE.exec(text)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}

const rowCountOf = (result: unknown): unknown =>
  (result as { rowCount?: unknown } | null | undefined)?.rowCount;

/**
 * Begins the span of a statement that a connection is about to run. The span has the statement's name and the number of rows,
 * but not its text or values.
 *
 * @returns a function that ends the span; null if no span is running, or for an object that submits itself, such as a COPY stream
 */
export function beginStatementSpan(query: unknown): ((error: unknown, result?: unknown) => void) | null {
  const text = typeof query === 'string' ? query : (query as { text?: unknown } | null)?.text;
  if (typeof text !== 'string' || (typeof query === 'object' && 'submit' in query!)) return null;
  const attributes = { 'db.system.name': 'postgresql' };
  const endSpan = beginChildSpan(() => nameOf(text), { kind: 'client', attributes });
  if (!endSpan) return null;
  return (error, result) => {
    const rowCount = rowCountOf(result);
    endSpan(error, typeof rowCount === 'number' ? { 'db.response.returned_rows': rowCount } : undefined);
  };
}
