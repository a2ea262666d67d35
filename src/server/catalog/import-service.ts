import { type Problem, validationError } from '../core/errors';
import { unstorable } from '../core/text';
import type { Database } from '../db/client';
import { type Actor, writeAudit } from '../identity/audit';

/** What a catalog import did. */
export interface CatalogImportResult {
  inserted: number;
  updated: number;
  unchanged: number;
}

interface ProductRow {
  row: number;
  category: string;
  code: string;
  name: string | null;
}

type Cell = string | number | boolean | null;

const COLUMNS = ['category', 'code', 'name'] as const;
const MAX_LENGTH = { category: 100, code: 100, name: 500 };

const STORE = `
WITH incoming AS (
  SELECT j.code, nullif(j.name, '') AS name, c.id AS category_id
    FROM json_to_recordset($1::json) AS j(category text, code text, name text)
    JOIN categories c ON c.name = j.category
), stored AS (
  INSERT INTO products AS p (code, category_id, name)
  SELECT code, category_id, name FROM incoming ORDER BY code
  ON CONFLICT (code) DO UPDATE SET
    category_id = excluded.category_id, name = coalesce(excluded.name, p.name), archived_at = NULL, updated_at = now()
    WHERE (p.category_id, p.name, p.archived_at)
          IS DISTINCT FROM (excluded.category_id, coalesce(excluded.name, p.name), NULL)
  RETURNING xmax = 0 AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int AS inserted, count(*) FILTER (WHERE NOT inserted)::int AS updated FROM stored`;

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
function readProducts(rows: readonly (readonly Cell[])[], categories: ReadonlySet<string>) {
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

/**
 * Imports products, all or nothing: new codes are added, known ones take the row's category and name (a blank name erases
 * nothing), archived ones come back. Importing twice changes nothing the second time.
 *
 * @param rows cells, header first: category, code and name in any order
 * @throws ServiceError `validation_failed` naming every bad row
 */
export async function importProducts(
  db: Database,
  actor: Actor,
  rows: readonly (readonly Cell[])[],
): Promise<CatalogImportResult> {
  return db.prisma.$transaction(async (tx) => {
    const categories = await tx.category.findMany({ select: { name: true }, orderBy: { position: 'asc' } });
    const { products, problems } = readProducts(rows, new Set(categories.map((category) => category.name)));
    if (problems.length > 0) throw validationError(problems);
    const [stored] = await tx.$queryRawUnsafe<{ inserted: number; updated: number }[]>(
      STORE,
      JSON.stringify(products),
    );
    const { inserted, updated } = stored!;
    const result = { inserted, updated, unchanged: products.length - inserted - updated };
    await writeAudit(tx, actor, {
      action: 'catalog.import',
      recordType: 'catalog',
      recordId: 'products',
      after: { ...result },
    });
    return result;
  });
}

/** A product as the command lists it. */
export interface ListedProduct {
  category: string;
  code: string;
  name: string | null;
  archived: boolean;
}

/** All products by category and code, archived ones too. */
export async function listProducts(db: Database): Promise<ListedProduct[]> {
  const products = await db.prisma.product.findMany({
    select: { code: true, name: true, archivedAt: true, category: { select: { name: true } } },
    orderBy: [{ category: { position: 'asc' } }, { code: 'asc' }],
  });
  return products.map(({ code, name, archivedAt, category }) => ({
    category: category.name,
    code,
    name,
    archived: archivedAt !== null,
  }));
}
