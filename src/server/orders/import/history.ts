import type pg from 'pg';
import type { Problem, Reason } from '../../core/reason';
import type { HeldBack, PreparedImport } from './prepare';

/** Who imports, from where: kept with every import. */
export interface ImportOrigin {
  source: 'api' | 'command' | 'spreadsheet';
  /** As the history shows it: the key's or the person's name. */
  actor: string;
  apiKeyId?: number;
  userId?: number;
  requestId?: string;
  fileName?: string;
}

export interface ImportCounts {
  newOrders: number;
  updatedOrders: number;
  changedOrders: number;
  itemsInserted: number;
  itemsChanged: number;
}

interface Issue extends Problem {
  severity: 'error' | 'warning';
  row: number | null;
}

function rowOf(path: string): number | null {
  const match = /^rows\.(\d+)/.exec(path);
  return match ? Number(match[1]) : null;
}

const BEGIN = `
INSERT INTO imports (account_id, source, outcome, actor, api_key_id, user_id, request_id, file_name, content_hash, rows,
                     errors, failure, duration_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id`;

const ISSUES = `
INSERT INTO import_issues (import_id, position, severity, "row", path, reason, "values")
SELECT $1, i.position, i.severity, i."row", i.path, i.reason, i."values"
  FROM json_to_recordset($2::json)
    AS i(position integer, severity issue_severity, "row" integer, path text, reason text, "values" jsonb)`;

const FINISH = `
UPDATE imports SET outcome = 'succeeded', new_orders = $2, updated_orders = $3, changed_orders = $4, items_inserted = $5,
                   items_changed = $6, warnings = $7, duration_ms = $8, held_rows = $9, errors = $10
 WHERE id = $1`;

interface Outcome {
  outcome: 'running' | 'rejected' | 'failed';
  accountId: number | null;
  errors?: number;
  /** Why it stored nothing. */
  failure?: Reason;
  durationMs?: number;
}

async function insertImport(
  db: pg.Pool | pg.PoolClient,
  origin: ImportOrigin,
  prepared: PreparedImport,
  outcome: Outcome,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>({
    name: 'import-begin',
    text: BEGIN,
    values: [
      outcome.accountId,
      origin.source,
      outcome.outcome,
      origin.actor,
      origin.apiKeyId ?? null,
      origin.userId ?? null,
      origin.requestId ?? null,
      origin.fileName ?? null,
      prepared.contentHash,
      prepared.rows,
      outcome.errors ?? 0,
      outcome.failure ?? null,
      outcome.durationMs ?? 0,
    ],
  });
  return rows[0]!.id;
}

async function insertIssues(db: pg.Pool | pg.PoolClient, importId: string, issues: Issue[]): Promise<void> {
  if (issues.length === 0) return;
  const records = issues.map((issue, position) => ({ position, ...issue }));
  await db.query(ISSUES, [importId, JSON.stringify(records)]);
}

/** Writes the import's row inside its transaction, so that its records can refer to it; {@link finishImport} completes it. */
export function beginImport(
  client: pg.PoolClient,
  origin: ImportOrigin,
  prepared: PreparedImport,
): Promise<string> {
  return insertImport(client, origin, prepared, { outcome: 'running', accountId: prepared.accountId });
}

function issueOf(severity: Issue['severity'], { path, reason, values }: Problem): Issue {
  return { path, reason, values, severity, row: rowOf(path) };
}

interface FinishedImport extends ImportCounts {
  importId: string;
  warnings: readonly Problem[];
  warningCount: number;
}

/** Completes the row with what the import did, and with what of its file it did not take. */
export async function finishImport(
  client: pg.PoolClient,
  { importId, warnings, warningCount, ...counts }: FinishedImport,
  held: HeldBack | undefined,
  durationMs: number,
): Promise<void> {
  await insertIssues(client, importId, [
    ...(held?.problems ?? []).map((problem) => issueOf('error', problem)),
    ...warnings.map((warning) => issueOf('warning', warning)),
  ]);
  await client.query({
    name: 'import-finish',
    text: FINISH,
    values: [
      importId,
      counts.newOrders,
      counts.updatedOrders,
      counts.changedOrders,
      counts.itemsInserted,
      counts.itemsChanged,
      warningCount,
      durationMs,
      held?.rows ?? 0,
      held?.problemCount ?? 0,
    ],
  });
}

/** Records an import that stored nothing, apart from its transaction (docs/orders.md: the history is written apart). */
export async function recordUnsuccessful(
  pool: pg.Pool,
  origin: ImportOrigin,
  prepared: PreparedImport,
  outcome: Outcome,
  problems: readonly Problem[],
): Promise<void> {
  const importId = await insertImport(pool, origin, prepared, outcome);
  await insertIssues(
    pool,
    importId,
    problems.map((problem) => issueOf('error', problem)),
  );
}
