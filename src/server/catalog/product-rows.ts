import { ProblemList } from '../core/errors/problem-list';
import { createReason, problemAt, type Reason } from '../core/errors/reason';
import { rowPath } from '../core/errors/row-path';
import { forEachInSlices } from '../core/slices';
import { readTable } from '../core/text/table';
import { isLongerThan, unstorableReason } from '../core/text/text';

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
 * Reads the rows below the header, in slices between which other requests are handled.
 *
 * @throws ServiceError `validation_failed` if the header is not that of a product list, there are no rows below it, or rows are
 * bad: with the first problems, each with its row and column, and the number of all
 */
export async function readProducts(
  sheet: ProductSheet,
  categoryNames: ReadonlySet<string>,
): Promise<ProductRow[]> {
  const problems = new ProblemList();
  const products: ProductRow[] = [];
  const seenCodes = new Set<string>();
  const columns = {
    known: COLUMNS,
    required: ['category', 'code'] as const,
    ignored: ['archived'],
  } satisfies Parameters<typeof readTable>[1];
  await forEachInSlices(readTable(sheet, columns).rows, ({ index: row, cells }) => {
    const { category = '', code = '', name = '' } = cells;
    const product = { row, category, code, name };
    const addProblem = (column: string, createCellReason: () => Reason) =>
      problems.add(() => problemAt(rowPath(row, column), createCellReason()));
    for (const column of COLUMNS) {
      const reason = unstorableReason(product[column]);
      if (reason) addProblem(column, () => reason);
      else if (isLongerThan(product[column], MAX_LENGTHS[column]))
        addProblem(column, () => createReason('text.long', { count: MAX_LENGTHS[column] }));
    }
    if (code === '') addProblem('code', () => createReason('csv.required'));
    if (!categoryNames.has(category))
      addProblem('category', () => createReason('type.oneOf', { names: [...categoryNames].join(', ') }));
    if (seenCodes.has(code)) addProblem('code', () => createReason('catalog.twice'));
    seenCodes.add(code);
    products.push(product);
  });
  problems.throwIfAny();
  return products;
}
