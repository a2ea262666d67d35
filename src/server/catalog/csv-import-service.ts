import type { Actor } from '../audit/audit';
import { withoutGuard } from '../core/csv';
import { readCsv } from '../core/csv-reader';
import { cellPath } from '../core/csv-rows';
import { isServiceError, validationError } from '../core/errors';
import type { Database } from '../db/client';
import { importProducts, previewProducts } from './import-service';

function readText(csv: string) {
  try {
    const { rows, lines } = readCsv(new TextEncoder().encode(csv));
    return { rows: rows.map((row) => row.map(withoutGuard)), lines };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    throw validationError([{ path: 'csv', message: error.message }]);
  }
}

/** Problems told by the lines and columns of the text, in place of the indexes of its rows. */
function byLine(error: unknown, lines: readonly number[]): unknown {
  if (!isServiceError(error) || error.problemCount === 0) return error;
  const problems = error.problems.map(({ path, message }) => {
    const [, row = '0', column = 'category'] = path.split('.');
    return { path: cellPath(lines[Number(row)] ?? 1, column), message };
  });
  return validationError(problems, error.problemCount);
}

async function told<T>(csv: string, work: (rows: string[][]) => Promise<T>): Promise<T> {
  const { rows, lines } = readText(csv);
  return work(rows).catch((error: unknown) => {
    throw byLine(error, lines);
  });
}

/**
 * Imports the products of a CSV text, all or nothing (see importProducts).
 *
 * @throws ServiceError `validation_failed` naming the line and column of every problem
 */
export function importProductsCsv(db: Database, actor: Actor, csv: string) {
  return told(csv, (rows) => importProducts(db, actor, rows));
}

/** What that would change now. */
export function previewProductsCsv(db: Database, csv: string) {
  return told(csv, (rows) => previewProducts(db, rows));
}
