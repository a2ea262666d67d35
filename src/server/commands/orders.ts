import { createHash } from 'node:crypto';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { loadConfig } from '../config/config';
import { isServiceError } from '../core/errors/errors';
import { idTextSchema } from '../core/ids';
import { readSpreadsheet, type Spreadsheet } from '../core/spreadsheet/spreadsheet';
import { isDatabaseUnavailable } from '../db/unavailable';
import { type ExportFormat, exportOrders } from '../orders/export/order-export-service';
import { importOrders } from '../orders/import/service';
import type { ImportResult } from '../orders/import/store-service';
import {
  countText,
  encodingText,
  type LocatedProblem,
  locateProblem,
  problemLines,
  readFileBytes,
  toRowsError,
} from './files';
import { showProgress } from './import-progress';
import { withExistingDatabase, withServices } from './open';
import { addCommand, addJsonCommand, createParser } from './options';
import { CommandError, printable, printResult, write } from './output';

interface ImportOptions {
  account: number;
  json?: boolean;
}

/** Rewrites a service's error in terms of the file and its lines; returns any other error unchanged. */
function toImportError(error: unknown, fileName: string, sheet: Spreadsheet): unknown {
  if (!isServiceError(error)) return error;
  if (error.code === 'import_failed') {
    const { cause } = error;
    const reason = isDatabaseUnavailable(cause)
      ? 'the database could not be reached. Import the file again: importing rows twice creates no duplicates'
      : `an internal error, ${printable(cause instanceof Error ? cause.message : 'whose cause is unknown')}`;
    return new CommandError(`${fileName} was not imported: ${reason}.`, { code: error.code });
  }
  return toRowsError(error, fileName, sheet);
}

function importSummary(
  result: ImportResult,
  warnings: LocatedProblem[],
  fileName: string,
  sheet: Spreadsheet,
): string {
  const lines = [
    `${printable(fileName)} is imported${encodingText(sheet)} (import ${result.importId}).`,
    `  new orders: ${result.newOrders}`,
    `  updated orders: ${result.updatedOrders}`,
    `  order items inserted: ${result.itemsInserted}`,
  ];
  if (result.warningCount === 0) return lines.join('\n');
  lines.push(
    `${countText(result.warningCount, 'warning')}:`,
    ...problemLines(warnings, result.warningCount, sheet.unit),
  );
  return lines.join('\n');
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
  const fileName = path.basename(file);
  const maxBytes = loadConfig().IMPORT_MAX_BODY_BYTES;
  const progress = showProgress();
  try {
    progress.setStage('reading');
    const bytes = await readFileBytes(file, fileName, maxBytes);
    const sheet = await readSpreadsheet({ name: fileName, bytes }, { maxBytes });
    const contentHash = createHash('sha256').update(bytes).digest('hex');
    const result = await withServices(async ({ services, actor }) => {
      const origin = { source: 'command', actor: actor.name, fileName } as const;
      const members = { account_id: options.account, rows: sheet.rows, excel_format: true };
      progress.setStage('checking');
      return importOrders(
        services,
        origin,
        { members, contentHash },
        {
          onLocked: async () => progress.setStage('storing'),
        },
      );
    }).catch((error: unknown) => {
      throw toImportError(error, fileName, sheet);
    });
    progress.end();
    const warnings = result.warnings.map((warning) => locateProblem(warning, sheet));
    const importId = Number(result.importId);
    await printResult(
      options,
      {
        new_orders: result.newOrders,
        updated_orders: result.updatedOrders,
        order_items_inserted: result.itemsInserted,
        warnings,
        warning_count: result.warningCount,
        import_id: Number.isSafeInteger(importId) ? importId : result.importId,
        encoding: sheet.encoding,
      },
      importSummary(result, warnings, fileName, sheet),
    );
  } finally {
    progress.end();
  }
}

interface ExportOptions {
  account: number;
  format: Exclude<ExportFormat, 'json'>;
  json?: boolean;
}

async function exportAccountOrders({ account, format, json }: ExportOptions): Promise<void> {
  await withExistingDatabase(({ db }) =>
    exportOrders(db.bulkPool, account, json ? 'json' : format, write),
  ).catch((error: unknown) => {
    throw isServiceError(error) && error.code === 'not_found'
      ? new CommandError(`--account: ${error.message} "account list" shows them.`, { code: error.code })
      : error;
  });
}

/** `orders`: imports and exports orders. */
export function addOrderCommands(program: Command): void {
  const group = addCommand(
    program,
    'orders',
    'import and export orders',
    'orders import orders.csv --account 1',
  );
  addJsonCommand(
    group,
    'import',
    "import the marketplace's export, all or nothing",
    'orders import orders.csv --account 1',
  )
    .argument('<file>', '.csv or .xlsx file, "Sold order items" of the marketplace')
    .requiredOption('--account <id>', 'shop account that the orders belong to', createParser(idTextSchema))
    .action(importFile);
  addJsonCommand(
    group,
    'export',
    'write all orders of a shop account to stdout',
    'orders export --account 1 --format csv > orders.csv',
  )
    .requiredOption('--account <id>', 'shop account', createParser(idTextSchema))
    .addOption(
      new Option('--format <format>', 'ndjson: one JSON object per line; csv: one line per order')
        .choices(['ndjson', 'csv'])
        .default('ndjson')
        .conflicts('json'),
    )
    .action(exportAccountOrders);
}
