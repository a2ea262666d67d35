import { ServiceError } from '../../core/errors';
import { because, type Reason } from '../../core/reason';
import type { Database } from '../../db/client';
import { PAGE_SIZE } from '../drafts/checked-sheet';

const IMPORT = `
SELECT m.id::text, m.account_id, s.name AS account, m.source, m.outcome, m.actor, m.user_id, m.api_key_id, m.request_id,
       m.file_name, m.content_hash, m.rows, m.new_orders, m.updated_orders, m.changed_orders, m.items_inserted,
       m.items_changed, m.warnings, m.errors, m.held_rows, m.failure, m.duration_ms, m.created_at, m.undone_at, u.email AS undone_by
  FROM imports m LEFT JOIN shops s ON s.id = m.account_id LEFT JOIN users u ON u.id = m.undone_by_user_id`;

export interface ImportView {
  id: string;
  account_id: number | null;
  account: string | null;
  source: 'api' | 'command' | 'spreadsheet';
  outcome: 'running' | 'succeeded' | 'rejected' | 'failed' | 'undone';
  actor: string;
  user_id: number | null;
  api_key_id: number | null;
  request_id: string | null;
  file_name: string | null;
  content_hash: string;
  rows: number;
  new_orders: number;
  updated_orders: number;
  changed_orders: number;
  items_inserted: number;
  items_changed: number;
  warnings: number;
  errors: number;
  held_rows: number;
  failure: Reason | null;
  duration_ms: number;
  created_at: Date;
  undone_at: Date | null;
  undone_by: string | null;
}

export interface HistoryQuery {
  /** The last import of the page before. */
  before?: string;
  limit: number;
  account_id?: number;
  source?: ImportView['source'];
  outcome?: ImportView['outcome'];
  /** Whether it warned of something or held rows back. */
  warnings?: boolean;
  /** Part of the name of who imported. */
  actor?: string;
  /** Part of the file's name. */
  file_name?: string;
  /** From this instant on, and before that one. */
  from?: string;
  until?: string;
}

const CONDITIONS: [keyof HistoryQuery, (parameter: string) => string][] = [
  ['before', (p) => `m.id < ${p}::bigint`],
  ['account_id', (p) => `m.account_id = ${p}`],
  ['source', (p) => `m.source = ${p}::import_source`],
  ['outcome', (p) => `m.outcome = ${p}::import_outcome`],
  ['warnings', (p) => `(m.warnings > 0 OR m.held_rows > 0) = ${p}::boolean`],
  ['actor', (p) => `strpos(lower(m.actor), lower(${p})) > 0`],
  ['file_name', (p) => `strpos(lower(m.file_name), lower(${p})) > 0`],
  ['from', (p) => `m.created_at >= ${p}::timestamptz`],
  ['until', (p) => `m.created_at < ${p}::timestamptz`],
];

/** A page of all imports, from API, command and page, the newest first. */
export async function listImports(
  db: Database,
  query: HistoryQuery,
): Promise<{ entries: ImportView[]; next: string | null }> {
  const values: unknown[] = [query.limit + 1];
  const conditions = CONDITIONS.flatMap(([name, condition]) => {
    if (query[name] === undefined) return [];
    values.push(query[name]);
    return [condition(`$${values.length}`)];
  });
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const { rows } = await db.pool.query<ImportView>(`${IMPORT} ${where} ORDER BY m.id DESC LIMIT $1`, values);
  const entries = rows.slice(0, query.limit);
  return { entries, next: rows.length > query.limit ? entries.at(-1)!.id : null };
}

/** @throws ServiceError `not_found` */
async function readImport(db: Database, id: string): Promise<ImportView> {
  const { rows } = await db.pool.query<ImportView>(`${IMPORT} WHERE m.id = $1`, [id]);
  if (!rows[0]) throw new ServiceError('not_found', because('answer.noImport', { id }));
  return rows[0];
}

/** The lists of one import: what it complained of, what it created, what it changed. */
export type ImportPart = 'issues' | 'created' | 'changes';

const PARTS: Record<ImportPart, { count: string; page: string }> = {
  issues: {
    count: 'SELECT count(*)::int AS total FROM import_issues WHERE import_id = $1',
    page: `SELECT position, severity, "row", path, reason, "values" FROM import_issues WHERE import_id = $1
            ORDER BY position LIMIT $2 OFFSET $3`,
  },
  created: {
    count: 'SELECT count(*)::int AS total FROM orders WHERE import_id = $1',
    page: `SELECT id::text AS order_id, receipt_id, status, buyer, name FROM orders WHERE import_id = $1
            ORDER BY id LIMIT $2 OFFSET $3`,
  },
  changes: {
    count: 'SELECT count(*)::int AS total FROM import_changes WHERE import_id = $1',
    page: `SELECT c.id::text, c.record, c.record_id::text, c.order_id::text, o.receipt_id, c.before, c.after
             FROM import_changes c LEFT JOIN orders o ON o.id = c.order_id WHERE c.import_id = $1
            ORDER BY c.id LIMIT $2 OFFSET $3`,
  },
};

/**
 * One import, with a page of one of its lists.
 *
 * @param page counted from 0
 * @throws ServiceError `not_found`
 */
export async function readImportPart(db: Database, id: string, part: ImportPart, page: number) {
  const found = await readImport(db, id);
  const [{ total }, entries] = await Promise.all([
    db.pool.query<{ total: number }>(PARTS[part].count, [id]).then(({ rows }) => rows[0]!),
    db.pool.query(PARTS[part].page, [id, PAGE_SIZE, page * PAGE_SIZE]).then(({ rows }) => rows),
  ]);
  return { import: found, total, entries };
}
