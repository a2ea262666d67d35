import { createReason, type Problem, problemAt, type Reason } from '../core/errors/reason';
import { rowPath } from '../core/errors/row-path';
import { readTable } from '../core/text/table';
import { unstorableReason } from '../core/text/text';

/** A product as read from a row of a file. */
export interface ProductRow {
  row: number;
  category: string;
  code: string;
  name: string | null;
}

/** The rows of a file, header first, with the line at which each begins. */
export type ProductSheet = Parameters<typeof readTable>[0];

const COLUMNS = ['category', 'code', 'name'] as const;
const MAX_LENGTHS = { category: 100, code: 100, name: 500 };

/**
 * Reads the rows below the header. Problems with cells are returned with the row's index; the header is row 0.
 *
 * @throws ServiceError `validation_failed` if the header is not that of a product list, a row has cells beyond the header, or
 * there are no rows below it
 */
export function readProducts(sheet: ProductSheet, categoryNames: ReadonlySet<string>) {
  const problems: Problem[] = [];
  const products: ProductRow[] = [];
  const seenCodes = new Set<string>();
  const columns = {
    known: COLUMNS,
    required: ['category', 'code'] as const,
    ignored: ['archived'],
  } satisfies Parameters<typeof readTable>[1];
  for (const { index: row, cells } of readTable(sheet, columns).rows) {
    const { category = '', code = '', name = '' } = cells;
    const product = { row, category, code, name };
    const addProblem = (column: string, reason: Reason) =>
      problems.push(problemAt(rowPath(row, column), reason));
    for (const column of COLUMNS) {
      const reason = unstorableReason(product[column]);
      if (reason) addProblem(column, reason);
      else if (product[column].length > MAX_LENGTHS[column])
        addProblem(column, createReason('text.long', { count: MAX_LENGTHS[column] }));
    }
    if (code === '') addProblem('code', createReason('csv.required'));
    if (!categoryNames.has(category))
      addProblem('category', createReason('type.oneOf', { names: [...categoryNames].join(', ') }));
    if (seenCodes.has(code)) addProblem('code', createReason('catalog.twice'));
    seenCodes.add(code);
    products.push(product);
  }
  return { products, problems };
}
