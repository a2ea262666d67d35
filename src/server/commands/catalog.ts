import path from 'node:path';
import type { Command } from 'commander';
import { importProducts, listProducts } from '../catalog/import-service';
import { loadConfig } from '../config/config';
import { readSpreadsheet } from '../core/spreadsheet/spreadsheet';
import { encodingText, readFileBytes, toRowsError } from './files';
import { withExistingDatabase, withMigratedDatabase } from './open';
import { addCommand, addJsonCommand } from './options';
import { formatTable, printable, printResult } from './output';

async function importFile(file: string, options: { json?: boolean }): Promise<void> {
  const fileName = path.basename(file);
  const maxBytes = loadConfig().IMPORT_MAX_BODY_BYTES;
  const bytes = await readFileBytes(file, fileName, maxBytes);
  const sheet = await readSpreadsheet({ name: fileName, bytes }, { maxBytes, contents: 'products' });
  const result = await withMigratedDatabase(({ db, actor }) =>
    importProducts(db, actor, sheet).catch((error: unknown) => {
      throw toRowsError(error, fileName, sheet);
    }),
  );
  const lines = [
    `${printable(fileName)} is imported${encodingText(sheet)}.`,
    `  products inserted: ${result.inserted}`,
    `  updated: ${result.updated}`,
    `  unchanged: ${result.unchanged}`,
  ];
  await printResult(options, { ...result, encoding: sheet.encoding }, lines.join('\n'));
}

async function printProducts(options: { json?: boolean }): Promise<void> {
  const products = await withExistingDatabase(({ db }) => listProducts(db));
  const rows = products.map(({ category, code, name, archived }) => [
    category,
    code,
    name ?? '-',
    archived ? 'archived' : '',
  ]);
  const emptyText =
    'There are no products yet. Import them with "catalog import FILE.csv": category, code, name.';
  await printResult(
    options,
    products,
    rows.length === 0 ? emptyText : formatTable(['CATEGORY', 'CODE', 'NAME', ''], rows),
  );
}

/** `catalog`: products and their codes. */
export function addCatalogCommands(program: Command): void {
  const group = addCommand(program, 'catalog', 'products and their codes', 'catalog list');
  addJsonCommand(
    group,
    'import',
    'import products: category, code, name; all or nothing',
    'catalog import products.csv',
  )
    .argument('<file>', '.csv or .xlsx file with a header')
    .action(importFile);
  addJsonCommand(group, 'list', 'list the products', 'catalog list --json').action(printProducts);
}
