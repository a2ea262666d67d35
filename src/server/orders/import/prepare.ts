import { createHash } from 'node:crypto';
import { LISTED_PROBLEMS } from '../../core/errors/errors';
import { because, type Problem, problemAt, type Reason } from '../../core/errors/reason';
import { reasonOf } from '../../core/errors/validation';
import { isTooDeep, TOO_DEEP } from '../../core/text/json-depth';
import { showable } from '../../core/text/text';
import { type RawRow, readLayout } from './layout';
import { type DoubtfulSku, gatherReceipts } from './receipts';
import { type OrderRow, type RowReport, readRow } from './row';
import { orderImportMembers } from './schema';

/** A warning about one row, kept in the import history. */
interface ImportWarning extends Problem {
  row: number;
}

/**
 * An import that has been read and checked, in the form that the database takes. Unless `problemCount` is 0, nothing else in it
 * may be used.
 */
export interface PreparedImport {
  /** `account_id` of the request. */
  shopId: number | null;
  /** Not counting an export's header. */
  rows: number;
  problems: Problem[];
  problemCount: number;
  warnings: ImportWarning[];
  warningCount: number;
  /** SKUs to look up before anything is stored: the database may know them with leading zeros. */
  doubtfulSkus: DoubtfulSku[];
  orderCount: number;
  itemCount: number;
  shipmentCount: number;
  /** Order numbers. */
  receiptIds: string[];
  /** JSON arrays in UTF-8, for json_to_recordset. */
  orders: Uint8Array;
  items: Uint8Array;
  shipments: Uint8Array;
  /** SHA-256 of the request, in hexadecimal. */
  contentHash: string;
  /** Rows of a file that are not imported. Only the import page imports the rest without them. */
  heldBack?: HeldBack;
}

/** Rows of a file that are not imported. */
export interface HeldBack {
  rows: number;
  /** The first problems; `problemCount` is the total number. */
  problems: Problem[];
  problemCount: number;
}

/** The input of an import: the bytes of a JSON body, or members that are already parsed. */
export type ImportInput = { body: Uint8Array } | { members: unknown; contentHash?: string };

/** How many warnings the history keeps per import. */
export const KEPT_WARNINGS = 1_000;

class Findings implements RowReport {
  readonly problems: Problem[] = [];
  readonly warnings: ImportWarning[] = [];
  problemCount = 0;
  warningCount = 0;

  constructor(private readonly keptWarnings: number) {}

  add(problem: Problem): void {
    this.problemCount++;
    if (this.problems.length < LISTED_PROBLEMS) this.problems.push(problem);
  }

  problem(row: number, name: string, reason: Reason): void {
    this.add(problemAt(`rows.${row}.${name}`, reason));
  }

  warning(row: number, name: string, reason: Reason): void {
    this.warningCount++;
    if (this.warnings.length < this.keptWarnings)
      this.warnings.push({ row, ...problemAt(`rows.${row}.${name}`, reason) });
  }
}

function parseBody(body: Uint8Array): { members: unknown } | { problem: Problem } {
  if (isTooDeep(body)) return { problem: TOO_DEEP };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return { problem: problemAt('', because('body.encoding')) };
  }
  let members: unknown;
  try {
    members = JSON.parse(text);
  } catch {
    return { problem: problemAt('', because('body.json')) };
  }
  if (typeof members !== 'object' || members === null || Array.isArray(members)) {
    return { problem: problemAt('', because('body.object')) };
  }
  return { members };
}

function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Members nested too deeply to be serialized cannot be orders: they are refused and need no hash. */
function textOf(members: unknown): string {
  try {
    return JSON.stringify(members) ?? '';
  } catch {
    return '';
  }
}

const encoder = new TextEncoder();

/** Encodes into its own memory, which a worker thread can transfer. */
function encode(records: readonly unknown[]): Uint8Array {
  return encoder.encode(JSON.stringify(records));
}

/**
 * Reads the rows one at a time and releases each as soon as it is read, so that they are never all in memory twice. After a
 * problem the rest is only checked.
 */
function* readRows(raws: (RawRow | undefined)[], findings: Findings): Generator<OrderRow> {
  for (let index = 0; index < raws.length; index++) {
    const row = readRow(raws[index]!, findings);
    raws[index] = undefined;
    if (row && findings.problemCount === 0) yield row;
  }
}

function prepared(
  shopId: number | null,
  contentHash: string,
  rowCount: number,
  findings: Findings,
  raws: RawRow[],
): PreparedImport {
  const gathered = gatherReceipts(readRows(raws, findings), findings);
  const usable = findings.problemCount === 0 ? gathered : gatherReceipts([], findings);
  const { orders, items, shipments, doubtfulSkus } = usable;
  return {
    shopId,
    rows: rowCount,
    problems: findings.problems,
    problemCount: findings.problemCount,
    warnings: findings.warnings,
    warningCount: findings.warningCount,
    doubtfulSkus,
    orderCount: orders.length,
    itemCount: items.length,
    shipmentCount: shipments.length,
    receiptIds: orders.map((order) => order.receipt_id),
    orders: encode(orders),
    items: encode(items),
    shipments: encode(shipments),
    contentHash,
  };
}

/**
 * Reads and checks an order import without a database. All problems of all rows are counted and the first hundred listed. The
 * function is pure, so it gives the same result in a worker thread, in a command and for a spreadsheet.
 *
 * @param maxRows the configured limit; the header row of an export does not count
 * @param keptWarnings how many warnings are listed; all are counted
 */
export function prepareImport(
  input: ImportInput,
  maxRows: number,
  keptWarnings = KEPT_WARNINGS,
): PreparedImport {
  const findings = new Findings(keptWarnings);
  let members: unknown;
  let contentHash: string;
  if ('body' in input) {
    contentHash = sha256(input.body);
    const parsed = parseBody(input.body);
    if ('problem' in parsed) {
      findings.add(parsed.problem);
      return prepared(null, contentHash, 0, findings, []);
    }
    members = parsed.members;
  } else {
    members = input.members;
    contentHash = input.contentHash ?? sha256(textOf(members));
  }

  const request = orderImportMembers.safeParse(members);
  if (!request.success) {
    for (const issue of request.error.issues) {
      const paths =
        issue.code === 'unrecognized_keys' ? issue.keys.map((key) => showable(key)) : [issue.path.join('.')];
      for (const path of paths) findings.add(problemAt(path, reasonOf(issue)));
    }
  }
  const given = (typeof members === 'object' && members !== null ? members : {}) as Record<string, unknown>;
  const shopId = Number.isSafeInteger(given.account_id) ? (given.account_id as number) : null;
  const sent = Array.isArray(given.rows) ? given.rows : [];
  const excelFormat = given.excel_format === true;
  const rowCount = Math.max(0, sent.length - (excelFormat ? 1 : 0));
  if (rowCount > maxRows) {
    findings.add(problemAt('rows', because('rows.most', { count: maxRows })));
    return prepared(shopId, contentHash, rowCount, findings, []);
  }
  const layout = readLayout(sent, excelFormat && sent.length > 0);
  for (const problem of layout.problems) findings.add(problem);
  // Only we hold members that we parsed ourselves, so a large body's rows can be freed now.
  if ('body' in input) sent.length = 0;
  return prepared(shopId, contentHash, rowCount, findings, layout.rows);
}
