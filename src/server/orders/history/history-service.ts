import type pg from 'pg';
import { invalidField } from '../../core/errors/errors';
import { createReason, type Problem, type Reason } from '../../core/errors/reason';
import { parseRowPath } from '../../core/errors/row-path';
import * as sql from './history.queries';

/** Who imports and from where; stored with every import. */
export interface ImportOrigin {
  source: 'api' | 'command' | 'spreadsheet';
  /** As the history shows it: the API key's name, the user's e-mail address, or who ran the command. */
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

/** What is known about the rows of an import before they are stored. */
export interface ReceivedContent {
  /** The number of rows, not counting an export's header or held-back rows. */
  rowCount: number;
  /** SHA-256 of the request or of the uploaded file, in hexadecimal. */
  contentHash: string;
}

/** What the history stores about the rows of a file that are not imported. */
export interface HeldBackRows {
  rowCount: number;
  /** The first problems; `problemCount` is their total number. */
  problems: Problem[];
  problemCount: number;
}

interface Issue extends Problem {
  severity: 'error' | 'warning';
  row: number | null;
}

interface Outcome {
  outcome: 'running' | 'rejected' | 'failed';
  /** Null if the import names no existing shop, or one that is being deleted. */
  shopId: number | null;
  errorCount?: number;
  /** Why the import stored nothing. */
  failure?: Reason;
  durationMs?: number;
}

/** The outcome of an import that stored nothing. */
export interface UnsuccessfulOutcome extends Outcome {
  outcome: 'rejected' | 'failed';
  durationMs: number;
}

/**
 * Inserts an import's row.
 *
 * @returns its id and the shop under which it was recorded: null if there is none, or if it is being deleted or is gone
 * @throws ServiceError `validation_failed` if the shop of a running import is being deleted or is gone
 */
async function insertImport(
  db: pg.Pool | pg.PoolClient,
  origin: ImportOrigin,
  receivedContent: ReceivedContent,
  outcome: Outcome,
): Promise<{ importId: string; shopId: number | null }> {
  const [insertedImport] = await sql.beginImport.runPrepared(db, {
    shopId: outcome.shopId,
    source: origin.source,
    outcome: outcome.outcome,
    actor: origin.actor,
    apiKeyId: origin.apiKeyId ?? null,
    userId: origin.userId ?? null,
    requestId: origin.requestId ?? null,
    fileName: origin.fileName ?? null,
    contentHash: receivedContent.contentHash,
    rows: receivedContent.rowCount,
    errors: outcome.errorCount ?? 0,
    failure: outcome.failure === undefined ? null : JSON.stringify(outcome.failure),
    durationMs: outcome.durationMs ?? 0,
  });
  if (insertedImport) return { importId: insertedImport.id, shopId: outcome.shopId };
  // The shop is being deleted or is gone, so an unsuccessful import is recorded without it.
  const { shopId: id } = outcome;
  if (outcome.outcome === 'running')
    throw invalidField('account_id', createReason('body.account', { id: id! }));
  return insertImport(db, origin, receivedContent, { ...outcome, shopId: null });
}

async function insertIssues(
  db: pg.Pool | pg.PoolClient,
  shopId: number | null,
  importId: string,
  issues: Issue[],
): Promise<void> {
  if (issues.length === 0) return;
  const numberedIssues = issues.map((issue, position) => ({ position, ...issue }));
  await sql.addIssues.run(db, { shopId, importId, issues: JSON.stringify(numberedIssues) });
}

/** Inserts an import's row before its records, because they refer to it. {@link finishImport} completes the row. */
export async function beginImport(
  client: pg.PoolClient,
  origin: ImportOrigin,
  receivedContent: ReceivedContent,
  shopId: number,
): Promise<string> {
  const { importId } = await insertImport(client, origin, receivedContent, { outcome: 'running', shopId });
  return importId;
}

function toIssue(severity: Issue['severity'], { path, reason, values }: Problem): Issue {
  return { path, reason, values, severity, row: parseRowPath(path)?.row ?? null };
}

interface FinishedImport extends ImportCounts {
  warnings: readonly Problem[];
  warningCount: number;
}

/**
 * Completes the import's row with its results, and stores its issues: the problems of held-back rows, and the warnings.
 *
 * @param target.at the timestamp of the records that the import has stored, in ISO format with microseconds
 */
export async function finishImport(
  client: pg.PoolClient,
  target: { shopId: number; importId: string; at: string },
  { warnings, warningCount, ...counts }: FinishedImport,
  heldBackRows: HeldBackRows | undefined,
  durationMs: number,
): Promise<void> {
  await insertIssues(client, target.shopId, target.importId, [
    ...(heldBackRows?.problems ?? []).map((problem) => toIssue('error', problem)),
    ...warnings.map((warning) => toIssue('warning', warning)),
  ]);
  await sql.finishImport.runPrepared(client, {
    ...target,
    newOrders: counts.newOrders,
    updatedOrders: counts.updatedOrders,
    changedOrders: counts.changedOrders,
    itemsInserted: counts.itemsInserted,
    itemsChanged: counts.itemsChanged,
    warnings: warningCount,
    durationMs,
    heldRows: heldBackRows?.rowCount ?? 0,
    errors: heldBackRows?.problemCount ?? 0,
  });
}

/**
 * Records an import that stored nothing, outside the import's own transaction (docs/orders.md: the history is written
 * separately).
 */
export async function recordUnsuccessfulImport(
  pool: pg.Pool,
  origin: ImportOrigin,
  receivedContent: ReceivedContent,
  outcome: UnsuccessfulOutcome,
  problems: readonly Problem[],
): Promise<void> {
  const { importId, shopId } = await insertImport(pool, origin, receivedContent, outcome);
  await insertIssues(
    pool,
    shopId,
    importId,
    problems.map((problem) => toIssue('error', problem)),
  );
}
