import { createHash, webcrypto } from 'node:crypto';
import { MAX_LISTED_PROBLEMS } from '../../core/errors/errors';
import { createReason, type Problem, problemAt, type Reason } from '../../core/errors/reason';
import { rowPath } from '../../core/errors/row-path';
import { reasonOf } from '../../core/errors/validation';
import { displayText } from '../../core/text/text';
import type { HeldBackRows } from '../history/history-service';
import { type EncodedOrders, encodeOrders } from './encoded-orders';
import { groupByOrder, ScatteredRowsError, type SuspectSku } from './imported-orders';
import { type RawRow, toRawRows } from './layout';
import { BadBodyError, type ImportRequest, readBody, toImportRequest } from './request';
import { type OrderRow, type RowReport, readRow } from './row';
import { orderImportMembers } from './schema';

/** A warning about one row, stored in the import history. */
interface ImportWarning extends Problem {
  row: number;
}

/** An import that has been read and checked. If it has problems, it contains no orders and cannot be stored. */
export interface PreparedImport extends EncodedOrders {
  /** `account_id` of the request; null if it is not a positive integer, which is a problem already. */
  shopId: number | null;
  /** The number of rows, not counting an export's header or held-back rows. */
  rowCount: number;
  problems: Problem[];
  problemCount: number;
  warnings: ImportWarning[];
  warningCount: number;
  /** SHA-256 of the request or of the uploaded file, in hexadecimal. */
  contentHash: string;
  /** Whether reading the import took too much time or memory, so that it may succeed if it is sent again. */
  wasStopped?: boolean;
  /** Set only by the import page, which holds back the bad rows of a file, and all rows of their orders, and imports the others. */
  heldBackRows?: HeldBackRows;
}

/**
 * The input of an import: the bytes of a JSON body, or members that are already parsed. Without `contentHash`, the hash of the
 * body or of the members is used.
 */
export type ImportInput = ({ body: Uint8Array } | { members: unknown }) & { contentHash?: string };

/** An import whose body, if it has one, has been hashed ({@link withBodyHash}). */
export type HashedInput =
  | { body: Uint8Array; contentHash: string }
  | { members: unknown; contentHash?: string };

/** The maximum number of warnings that the history stores per import, besides those that only the database can detect. */
export const MAX_STORED_WARNINGS = 1_000;

class Findings implements RowReport {
  readonly problems: Problem[] = [];
  readonly warnings: ImportWarning[] = [];
  problemCount = 0;
  warningCount = 0;

  constructor(private readonly maxWarnings: number) {}

  add(problem: Problem): void {
    this.problemCount++;
    if (this.problems.length < MAX_LISTED_PROBLEMS) this.problems.push(problem);
  }

  /** Inserts problems at an index, and keeps the list within its limit. */
  insert(index: number, problems: readonly Problem[]): void {
    this.problemCount += problems.length;
    this.problems.splice(index, 0, ...problems.slice(0, MAX_LISTED_PROBLEMS));
    this.problems.length = Math.min(this.problems.length, MAX_LISTED_PROBLEMS);
  }

  addProblem(row: number, name: string, reason: Reason): void {
    this.add(problemAt(rowPath(row, name), reason));
  }

  addWarning(row: number, name: string, reason: Reason): void {
    this.warningCount++;
    if (this.warnings.length < this.maxWarnings)
      this.warnings.push({ row, ...problemAt(rowPath(row, name), reason) });
  }
}

function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Returns the JSON of members, or an empty text if they are nested too deeply for JSON.stringify: those are refused anyway. */
function jsonOf(members: unknown): string {
  try {
    return JSON.stringify(members) ?? '';
  } catch {
    return '';
  }
}

/** Returns the hash under which the history lists the import. */
export const contentHashOf = (input: ImportInput): string =>
  input.contentHash ?? sha256('body' in input ? input.body : jsonOf(input.members));

/** The maximum size of a body that is hashed on the main thread, because passing it to another would take longer. */
const MAX_INLINE_HASH_BYTES = 64 * 1024;

/**
 * Returns the input with the hash of its body, if it has one. Called before the body is read: the thread that reads a large body
 * takes it over, and if the thread is terminated, the body is lost, but the history still needs its hash.
 */
export async function withBodyHash(input: ImportInput): Promise<HashedInput> {
  if (!('body' in input)) return input;
  const { body, contentHash } = input;
  if (contentHash !== undefined) return { body, contentHash };
  if (body.byteLength <= MAX_INLINE_HASH_BYTES) return { body, contentHash: sha256(body) };
  const hashBytes = await webcrypto.subtle.digest('SHA-256', body as Uint8Array<ArrayBuffer>);
  return { body, contentHash: Buffer.from(hashBytes).toString('hex') };
}

/** Reads the rows one at a time. After the first problem, rows are checked but no longer yielded. */
function* readRows(
  rawRows: Iterable<RawRow>,
  findings: Findings,
  layoutProblems: Problem[],
): Generator<OrderRow> {
  for (const rawRow of rawRows) {
    const row = readRow(rawRow, findings);
    if (row && findings.problemCount === 0 && layoutProblems.length === 0) yield row;
  }
}

function createPreparedImport(
  shopId: number | null,
  contentHash: string,
  rowCount: number,
  findings: Findings,
  orders: EncodedOrders = encodeOrders([], []),
): PreparedImport {
  return {
    shopId,
    rowCount,
    problems: findings.problems,
    problemCount: findings.problemCount,
    warnings: findings.warnings,
    warningCount: findings.warningCount,
    ...orders,
    contentHash,
  };
}

/**
 * Reads and checks an order import without a database. Counts the problems of all rows and lists the first hundred, unless there
 * are too many rows, the body is refused as a whole, or the header of an export cannot be read. The result depends only on the
 * arguments, so it is the same on every thread.
 *
 * @param maxRows the configured limit; the header row of an export does not count
 * @param maxWarnings the maximum number of warnings to list; all are counted
 */
export function prepareImport(
  input: ImportInput,
  maxRows: number,
  maxWarnings = MAX_STORED_WARNINGS,
): PreparedImport {
  const contentHash = contentHashOf(input);
  try {
    const request = 'body' in input ? readBody(input.body) : toImportRequest(input.members);
    const prepare = (areRowsAdjacent: boolean) =>
      prepareRequest(request, contentHash, maxRows, new Findings(maxWarnings), areRowsAdjacent);
    try {
      return prepare(true);
    } catch (error) {
      if (!(error instanceof ScatteredRowsError)) throw error;
      return prepare(false);
    }
  } catch (error) {
    if (!(error instanceof BadBodyError)) throw error;
    return createUnreadableImport(contentHash, error.problem);
  }
}

/** Returns an import that could not be read at all. */
function createUnreadableImport(contentHash: string, problem: Problem): PreparedImport {
  const findings = new Findings(0);
  findings.add(problem);
  return createPreparedImport(null, contentHash, 0, findings);
}

/** Returns an import whose reading was stopped because it took too much time or memory. */
export function createStoppedImport(contentHash: string, reason: Reason): PreparedImport {
  return { ...createUnreadableImport(contentHash, problemAt('rows', reason)), wasStopped: true };
}

/**
 * Checks a request and prepares its rows.
 *
 * @throws BadBodyError; ScatteredRowsError if `areRowsAdjacent` and the rows of an order are not next to each other
 */
function prepareRequest(
  { members, membersByName, sentRowCount, rows }: ImportRequest,
  contentHash: string,
  maxRows: number,
  findings: Findings,
  areRowsAdjacent: boolean,
): PreparedImport {
  const parseResult = orderImportMembers.safeParse(members);
  if (!parseResult.success) {
    for (const issue of parseResult.error.issues) {
      const paths =
        issue.code === 'unrecognized_keys'
          ? issue.keys.map((key) => displayText(key))
          : [issue.path.join('.')];
      for (const path of paths) findings.add(problemAt(path, reasonOf(issue)));
    }
  }
  const accountId = membersByName.account_id;
  const shopId = Number.isSafeInteger(accountId) && (accountId as number) > 0 ? (accountId as number) : null;
  const isExcelFormat = membersByName.excel_format === true;
  const rowCount = Math.max(0, sentRowCount - (isExcelFormat ? 1 : 0));
  if (rowCount > maxRows) {
    findings.add(problemAt('rows', createReason('rows.most', { count: maxRows })));
    return createPreparedImport(shopId, contentHash, rowCount, findings);
  }
  const requestProblemCount = findings.problems.length;
  const layoutProblems: Problem[] = [];
  const rawRows = toRawRows(rows(), isExcelFormat, layoutProblems);
  const suspectSkus: SuspectSku[] = [];
  const orders = encodeOrders(
    groupByOrder(readRows(rawRows, findings, layoutProblems), findings, { areRowsAdjacent, suspectSkus }),
    suspectSkus,
  );
  findings.insert(requestProblemCount, layoutProblems);
  return createPreparedImport(
    shopId,
    contentHash,
    rowCount,
    findings,
    findings.problemCount === 0 ? orders : undefined,
  );
}
