import type { Problem } from '../core/errors';
import { unstorable } from '../core/text';

/** A product as a row of a file names it. */
export interface ProductRow {
  row: number;
  category: string;
  code: string;
  name: string | null;
}

export type Cell = string | number | boolean | null;

const COLUMNS = ['category', 'code', 'name'] as const;
const MAX_LENGTH = { category: 100, code: 100, name: 500 };

function columnsOf(header: readonly Cell[] | undefined): Map<(typeof COLUMNS)[number], number> {
  const names = (header ?? []).map((cell) =>
    String(cell ?? '')
      .trim()
      .toLowerCase(),
  );
  return new Map(
    COLUMNS.map((name) => [name, names.indexOf(name)] as const).filter(([, column]) => column !== -1),
  );
}

/** Reads the rows below the header; every problem is reported with the row's index, the header being 0. */
export function readProducts(rows: readonly (readonly Cell[])[], categories: ReadonlySet<string>) {
  const problems: Problem[] = [];
  const products: ProductRow[] = [];
  const columns = columnsOf(rows[0]);
  for (const name of ['category', 'code'] as const) {
    if (!columns.has(name)) {
      problems.push({
        path: 'rows.0',
        message: `must be a header with the columns category, code and name; ${name} is missing`,
      });
    }
  }
  if (problems.length > 0) return { products, problems };
  const seen = new Map<string, number>();
  for (let row = 1; row < rows.length; row++) {
    const cell = (name: (typeof COLUMNS)[number]) => String(rows[row]![columns.get(name) ?? -1] ?? '').trim();
    const product = { row, category: cell('category'), code: cell('code'), name: cell('name') };
    const complain = (name: string, message: string) =>
      problems.push({ path: `rows.${row}.${name}`, message });
    for (const name of COLUMNS) {
      const problem = unstorable(product[name]);
      if (problem) complain(name, problem);
      else if (product[name].length > MAX_LENGTH[name])
        complain(name, `must have at most ${MAX_LENGTH[name]} characters`);
    }
    if (product.code === '') complain('code', 'is required');
    if (!categories.has(product.category)) {
      complain('category', `must be one of ${[...categories].join(', ')}`);
    }
    const first = seen.get(product.code);
    if (first !== undefined) complain('code', 'stands twice in the file; each code belongs to one product');
    seen.set(product.code, row);
    products.push(product);
  }
  return { products, problems };
}
