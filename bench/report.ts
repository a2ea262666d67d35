import { availableParallelism, cpus } from 'node:os';

/** One measured figure, with the limit that it must keep where there is one. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The figure must stay below or at it, or above or at it where `least` is set. */
  limit?: number;
  least?: boolean;
  note?: string;
}

export function atMost(name: string, value: number, unit: string, limit: number): Figure {
  return { name, value, unit, limit };
}

export function atLeast(name: string, value: number, unit: string, limit: number): Figure {
  return { name, value, unit, limit, least: true };
}

/** Single measurements, for who wants to see how far they lie apart. */
export function shown(values: readonly number[]): string {
  return values.map((value) => Math.round(value)).join(', ');
}

export function isMissed({ value, limit, least }: Figure): boolean {
  return limit !== undefined && !(least ? value >= limit : value <= limit);
}

function number(value: number, unit: string): string {
  const digits = unit === 'x' ? 2 : unit === 'ms' && value < 100 ? 1 : 0;
  return `${value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${unit === 'x' ? '' : ' '}${unit}`;
}

function cells(figure: Figure): string[] {
  const { name, value, unit, limit, least, note } = figure;
  const verdict = limit === undefined ? '' : isMissed(figure) ? '**missed**' : 'kept';
  const bound = limit === undefined ? '' : `${least ? 'at least ' : ''}${number(limit, unit)}`;
  return [name, number(value, unit), bound, verdict, note ?? ''];
}

const HEAD = ['What', 'Figure', 'Limit', '', 'Single measurements'];

/** A Markdown table with columns that line up, so that a terminal shows it as well. */
export function table(figures: readonly Figure[]): string {
  const lines = [HEAD, ...figures.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(3, ...lines.map((line) => line[column]!.length)));
  const text = (line: string[]) =>
    `| ${line.map((cell, column) => (column === 1 || column === 2 ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 1 || column === 2 ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`;
  return [text(lines[0]!), rule, ...lines.slice(1).map(text)].join('\n');
}

function machine(): string {
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim() || process.arch}), Node ${process.versions.node}, ${process.platform}`;
}

export function page(figures: readonly Figure[], seconds: number): string {
  const missed = figures.filter(isMissed).length;
  return `# Measured by \`npm run bench\`

${machine()}. ${new Date().toISOString().slice(0, 10)}, ${Math.round(seconds)} s.

The client, the service and PostgreSQL share the machine, so times say little; what counts are the ratios, whose two sides
are measured in turns in the same run. Times are medians, with the single measurements beside them.

${table(figures)}

${missed === 0 ? 'All limits are kept.' : `${missed} of the limits missed.`}
`;
}
