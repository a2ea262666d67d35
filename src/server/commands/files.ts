import { open } from 'node:fs/promises';
import { englishProblem, isServiceError, MAX_LISTED_PROBLEMS } from '../core/errors/errors';
import type { Problem } from '../core/errors/reason';
import { parseRowPath } from '../core/errors/row-path';
import { checkSize, type Spreadsheet } from '../core/spreadsheet/spreadsheet';
import { ENCODING_NAMES } from '../core/text/encodings';
import { CommandError, printable } from './output';

/** A problem with an import, and its position in the file; `line` is null if it concerns the whole import. */
export interface LocatedProblem {
  path: string;
  line: number | null;
  message: string;
}

/** Returns a problem with its position in the file, which its path `rows.<index>` determines. */
export function locateProblem(problem: Problem, sheet: Spreadsheet): LocatedProblem {
  const { path, message } = englishProblem(problem);
  const position = parseRowPath(path);
  return { path, line: position && (sheet.lines[position.row] ?? null), message };
}

/** Returns a problem as `line 12, quantity: must be ...`; a problem without a line begins with its option or path. */
function problemLine({ path, line, message }: LocatedProblem, unit: Spreadsheet['unit']): string {
  const field = parseRowPath(path)?.field ?? '';
  const column = /^\d+$/.test(field) ? `column ${Number(field) + 1}` : field;
  const position = line === null ? '' : [`${unit} ${line}`, column].filter(Boolean).join(', ');
  const subject = position || (path === 'account_id' ? '--account' : path);
  return `  ${subject === '' ? '' : `${printable(subject)}: `}${printable(message)}`;
}

/** Returns the first hundred problems as readable lines, and how many more there are. */
export function problemLines(
  problems: readonly LocatedProblem[],
  count: number,
  unit: Spreadsheet['unit'],
): string[] {
  const lines = problems.slice(0, MAX_LISTED_PROBLEMS).map((problem) => problemLine(problem, unit));
  return count > lines.length ? [...lines, `  and ${count - lines.length} more`] : lines;
}

/** Returns a count with its noun: `1 problem`, `2 problems`. */
export const countText = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns the encoding of a CSV file as `, read as GB18030`; empty for a workbook. */
export const encodingText = ({ encoding }: Spreadsheet) =>
  encoding ? `, read as ${ENCODING_NAMES[encoding]}` : '';

/** Rewrites a service's refusal of rows in terms of the file's lines; returns any other error unchanged. */
export function toRowsError(error: unknown, fileName: string, sheet: Spreadsheet): unknown {
  if (!isServiceError(error) || error.problemCount === 0) return error;
  const locatedProblems = error.problems.map((problem) => locateProblem(problem, sheet));
  return new CommandError(
    `${fileName} has ${countText(error.problemCount, 'problem')}; nothing was imported.`,
    {
      code: error.code,
      errors: locatedProblems.slice(0, MAX_LISTED_PROBLEMS),
      error_count: error.problemCount,
    },
    problemLines(locatedProblems, error.problemCount, sheet.unit),
  );
}

/**
 * Reads a file.
 *
 * @throws ServiceError if it is larger than `maxBytes`; CommandError if it cannot be read
 */
export async function readFileBytes(file: string, fileName: string, maxBytes: number): Promise<Buffer> {
  try {
    const handle = await open(file);
    try {
      checkSize(fileName, (await handle.stat()).size, maxBytes);
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
