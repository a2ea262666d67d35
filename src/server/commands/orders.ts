import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { loadConfig } from '../config';
import { isServiceError, LISTED_PROBLEMS, type Problem } from '../core/errors';
import { isDatabaseAway } from '../core/postgres';
import { type ExportFormat, exportOrders } from '../orders/export';
import { type ImportResult, importOrders } from '../orders/service';
import { checkSize, readSpreadsheet, type Spreadsheet } from '../orders/spreadsheet';
import { showProgress } from './import-progress';
import { withServices } from './open';
import { checked, command, idSchema, jsonCommand } from './options';
import { answer, CommandError, printable, write } from './output';

interface ImportOptions {
  account: number;
  json?: boolean;
}

/** A problem of a row with the place in the file, null where it concerns the whole import. */
interface PlacedProblem extends Problem {
  line: number | null;
}

function placed({ path, message }: Problem, sheet: Spreadsheet): PlacedProblem {
  const row = /^rows\.(\d+)/.exec(path)?.[1];
  return { path, line: row === undefined ? null : (sheet.lines[Number(row)] ?? null), message };
}

/** `line 12, quantity: must be ...`, with the option's name where the account is what is wrong. */
function problemLine({ path, line, message }: PlacedProblem, unit: Spreadsheet['unit']): string {
  const field = path.split('.').slice(2).join('.');
  const column = /^\d+$/.test(field) ? `column ${Number(field) + 1}` : field;
  const place = line === null ? '' : [`${unit} ${line}`, column].filter(Boolean).join(', ');
  const name = place || (path === 'account_id' ? '--account' : path);
  return `  ${name === '' ? '' : `${printable(name)}: `}${printable(message)}`;
}

function problemLines(
  problems: readonly PlacedProblem[],
  count: number,
  unit: Spreadsheet['unit'],
): string[] {
  const lines = problems.slice(0, LISTED_PROBLEMS).map((problem) => problemLine(problem, unit));
  return count > lines.length ? [...lines, `  and ${count - lines.length} more`] : lines;
}

const counted = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`;

/** What the service refused, told by the lines of the file. */
function importFailure(error: unknown, name: string, sheet: Spreadsheet): unknown {
  if (!isServiceError(error)) return error;
  if (error.code === 'import_failed') {
    const { cause } = error;
    const reason = isDatabaseAway(cause)
      ? 'the database could not be reached. Import the file again: what is imported twice is not doubled'
      : `an internal error, ${printable(cause instanceof Error ? cause.message : 'whose cause is unknown')}`;
    return new CommandError(`${name} was not imported: ${reason}.`, { code: error.code });
  }
  if (error.problemCount === 0) return error;
  const errors = error.problems.map((problem) => placed(problem, sheet));
  return new CommandError(
    `${name} has ${counted(error.problemCount, 'problem')}; nothing was imported.`,
    { code: error.code, errors: errors.slice(0, LISTED_PROBLEMS), error_count: error.problemCount },
    problemLines(errors, error.problemCount, sheet.unit),
  );
}

async function readBytes(file: string, name: string, maxBytes: number): Promise<Buffer> {
  try {
    const handle = await open(file);
    try {
      checkSize(name, (await handle.stat()).size, maxBytes);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isServiceError(error)) throw error;
    const reasons: Record<string, string> = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a folder',
      EACCES: 'this user may not read it',
    };
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new CommandError(`${file} cannot be read: ${reasons[code] ?? message}.`);
  }
}

function importText(
  result: ImportResult,
  warnings: PlacedProblem[],
  name: string,
  sheet: Spreadsheet,
): string {
  const lines = [
    `${printable(name)} is imported (import ${result.importId}).`,
    `  new orders: ${result.newOrders}`,
    `  updated orders: ${result.updatedOrders}`,
    `  order items inserted: ${result.itemsInserted}`,
  ];
  if (result.warningCount === 0) return lines.join('\n');
  lines.push(
    `${counted(result.warningCount, 'warning')}:`,
    ...problemLines(warnings, result.warningCount, sheet.unit),
  );
  return lines.join('\n');
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
  const name = path.basename(file);
  const maxBytes = loadConfig().IMPORT_MAX_BODY_BYTES;
  const progress = showProgress();
  try {
    progress.stage('reading');
    const bytes = await readBytes(file, name, maxBytes);
    const sheet = await readSpreadsheet({ name, bytes }, { maxBytes });
    const contentHash = createHash('sha256').update(bytes).digest('hex');
    const result = await withServices(({ services, actor }) => {
      const origin = { source: 'command', actor: actor.name, fileName: name } as const;
      const members = { account_id: options.account, rows: sheet.rows, excel_format: true };
      const readImport: typeof services.readImport = async (input) => {
        progress.stage('checking');
        const prepared = await services.readImport(input);
        progress.stage('storing');
        return prepared;
      };
      return importOrders({ ...services, readImport }, origin, { members, contentHash });
    }).catch((error: unknown) => {
      throw importFailure(error, name, sheet);
    });
    progress.end();
    const warnings = result.warnings.map((warning) => placed(warning, sheet));
    const importId = Number(result.importId);
    await answer(
      options,
      {
        new_orders: result.newOrders,
        updated_orders: result.updatedOrders,
        order_items_inserted: result.itemsInserted,
        warnings,
        warning_count: result.warningCount,
        import_id: Number.isSafeInteger(importId) ? importId : result.importId,
      },
      importText(result, warnings, name, sheet),
    );
  } finally {
    progress.end();
  }
}

async function exportAll(options: { account: number; format: ExportFormat }): Promise<void> {
  await withServices(({ services }) =>
    exportOrders(services.db.bulkPool, options.account, options.format, write),
  ).catch((error: unknown) => {
    throw isServiceError(error) && error.code === 'not_found'
      ? new CommandError(`--account: ${error.message} "account list" shows them.`, { code: error.code })
      : error;
  });
}

/** `orders`: bring them in and take them out. */
export function addOrderCommands(program: Command): void {
  const group = command(
    program,
    'orders',
    'import and export orders',
    'orders import orders.csv --account 1',
  );
  jsonCommand(
    group,
    'import',
    "import the marketplace's export, all or nothing",
    'orders import orders.csv --account 1',
  )
    .argument('<file>', '.csv (UTF-8) or .xlsx file, "Sold order items" of the marketplace')
    .requiredOption('--account <id>', 'shop account that the orders belong to', checked(idSchema))
    .action(importFile);
  command(
    group,
    'export',
    'write all orders of a shop account to stdout',
    'orders export --account 1 --format csv > orders.csv',
  )
    .requiredOption('--account <id>', 'shop account', checked(idSchema))
    .addOption(
      new Option('--format <format>', 'ndjson: one JSON object a line; csv: one line an order')
        .choices(['ndjson', 'csv'])
        .default('ndjson'),
    )
    .action(exportAll);
}
