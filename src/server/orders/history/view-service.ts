import { notFound } from '../../core/errors/errors';
import { createReason, type Reason } from '../../core/errors/reason';
import { parseRowPath } from '../../core/errors/row-path';
import type { PageInput } from '../../core/fields';
import { decodeCursor, decodeIdCursor, encodeCursor, encodeIdCursor } from '../../core/lists/cursor';
import type { Database } from '../../db/client';
import { ORDER_FIELDS, type OrderField } from '../column-map';
import * as sql from './history.queries';
import type { ImportList } from './history-schema';

/** An import as the history's statements return it. */
export type ImportView = Omit<sql.ListImportsRow, 'failure'> & { failure: Reason | null };

export interface HistoryQuery {
  /** `next` of the previous page. */
  cursor?: string;
  limit: number;
  shops?: number[];
  source?: ImportView['source'];
  outcomes?: ImportView['outcome'][];
  /** If true, returns only imports with warnings or held-back rows; if false, only imports with neither. */
  warnings?: boolean;
  /** Part of the name or e-mail address of the user or API key that imported. */
  actor?: string;
  /** Part of the file's name. */
  file_name?: string;
  /** From this instant (inclusive) to `until` (exclusive). */
  from?: Date;
  until?: Date;
}

/** Returns a page of the import history, newest first. */
export async function listImports(
  db: Database,
  query: HistoryQuery,
): Promise<{ entries: ImportView[]; next: string | null }> {
  const rows = await sql.listImports.run(db.pool, {
    beforeId: query.cursor === undefined ? null : decodeIdCursor(query.cursor),
    limit: query.limit + 1,
    shopIds: query.shops ?? null,
    source: query.source ?? null,
    outcomes: query.outcomes ?? null,
    warnings: query.warnings ?? null,
    actor: query.actor ?? null,
    fileName: query.file_name ?? null,
    from: query.from ?? null,
    until: query.until ?? null,
  });
  const entries = rows.slice(0, query.limit) as ImportView[];
  return { entries, next: rows.length > query.limit ? encodeIdCursor(entries.at(-1)!.id) : null };
}

/** Returns the header, in the US export, of the column that a path such as `rows.3.quantity` names; null if it names none. */
function columnHeaderOf(path: string): string | null {
  const field = parseRowPath(path)?.field;
  if (field === undefined) return null;
  // A column without a field is named by its header.
  return Object.hasOwn(ORDER_FIELDS, field) ? (ORDER_FIELDS[field as OrderField].headers[0] ?? field) : field;
}

const PART_STATEMENTS = {
  issues: { count: sql.countIssues, page: sql.listIssues },
  created: { count: sql.countCreatedOrders, page: sql.listCreatedOrders },
  changes: { count: sql.countChanges, page: sql.listChanges },
};

/** The positions of issues, and ids. */
const SORT_KEY_PATTERN = /^\d{1,18}$/;

/** A cursor names its list, so that no other list accepts it. */
const cursorNameOf = (part: ImportList['part']) => `import.${part}`;

type PartRow = sql.ListIssuesRow | sql.ListCreatedOrdersRow | sql.ListChangesRow;

/** Returns the number by which the row's list is sorted. */
function sortKeyOf(row: PartRow): string {
  if ('position' in row) return String(row.position);
  return 'id' in row ? row.id : row.order_id;
}

/**
 * Returns one import with a page of one of its lists.
 *
 * @throws ServiceError `not_found`; `validation_failed` if `cursor` is not `next` of a page of this list
 */
export async function readImportPart(
  db: Database,
  importId: string,
  part: ImportList['part'],
  { cursor, limit }: PageInput,
) {
  const after =
    cursor === undefined ? null : decodeCursor(cursor, cursorNameOf(part), [SORT_KEY_PATTERN])[0]!;
  const [importRow] = await sql.readImport.run(db.pool, { importId });
  if (!importRow) throw notFound(createReason('answer.noImport', { id: importId }));
  const { shop_id: shopId, ...view } = importRow;
  const key = { shopId, importId };
  const [[countRow], rows] = await Promise.all([
    PART_STATEMENTS[part].count.run(db.pool, key),
    PART_STATEMENTS[part].page.run(db.pool, {
      ...key,
      after,
      limit: limit + 1,
    }),
  ]);
  const entries = rows
    .slice(0, limit)
    .map((row) => ('path' in row ? { ...row, column: columnHeaderOf(row.path) } : row));
  const next = rows.length > limit ? encodeCursor(cursorNameOf(part), [sortKeyOf(rows[limit - 1]!)]) : null;
  return { import: view as ImportView, total: countRow!.total, entries, next };
}
