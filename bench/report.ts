import { availableParallelism, cpus } from 'node:os';

/** A measured figure, with its limit if it has one. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** An upper limit, or a lower one if `isMinimum` is set. */
  limit?: number;
  isMinimum?: boolean;
  note?: string;
}

export function atMost(name: string, value: number, unit: string, limit: number): Figure {
  return { name, value, unit, limit };
}

export function atLeast(name: string, value: number, unit: string, limit: number): Figure {
  return { name, value, unit, limit, isMinimum: true };
}

/** Lists individual measurements, to show how much they vary. */
export function listValues(values: readonly number[]): string {
  return values.map((value) => Math.round(value)).join(', ');
}

export function missesLimit({ value, limit, isMinimum }: Figure): boolean {
  return limit !== undefined && !(isMinimum ? value >= limit : value <= limit);
}

function formatNumber(value: number, unit: string): string {
  const digits = unit === 'x' ? 2 : unit === 'ms' && value < 100 ? 1 : 0;
  return `${value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${unit === 'x' ? '' : ' '}${unit}`;
}

function cellsOf(figure: Figure): string[] {
  const { name, value, unit, limit, isMinimum, note } = figure;
  const verdict = limit === undefined ? '' : missesLimit(figure) ? '**missed**' : 'met';
  const limitText = limit === undefined ? '' : `${isMinimum ? 'at least ' : ''}${formatNumber(limit, unit)}`;
  return [name, formatNumber(value, unit), limitText, verdict, note ?? ''];
}

const HEAD = ['What', 'Figure', 'Limit', '', 'Individual measurements'];

/** Returns a Markdown table with aligned columns, so that it is readable in a terminal too. */
export function createMarkdownTable(figures: readonly Figure[]): string {
  const rows = [HEAD, ...figures.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const formatRow = (row: string[]) =>
    `| ${row.map((cell, column) => (column === 1 || column === 2 ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join(' | ')} |`;
  const separator = `|${widths.map((width, column) => (column === 1 || column === 2 ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`;
  return [formatRow(rows[0]!), separator, ...rows.slice(1).map(formatRow)].join('\n');
}

function describeMachine(): string {
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim() || process.arch}), Node ${process.versions.node}, ${process.platform}`;
}

export function createResultsPage(figures: readonly Figure[], seconds: number): string {
  const missedCount = figures.filter(missesLimit).length;
  return `# Measured by \`npm run bench\`

${describeMachine()}. ${new Date().toISOString().slice(0, 10)}, ${Math.round(seconds)} s.

The client, the service and PostgreSQL share the machine, so absolute times mean little. The ratios are what counts: their two
sides are measured alternately in the same run. Where the last column lists repeated measurements, the figure is their median,
except for the pause and the memory, where it is the highest.

${createMarkdownTable(figures)}

${missedCount === 0 ? 'All limits are met.' : `Limits missed: ${missedCount}.`}
`;
}
