import type { ReportProblem } from '../core/errors/problem-list';
import { createReason, type Problem, problemAt } from '../core/errors/reason';
import { findStorageProblems, storageProblem } from '../core/text/storable-json';
import type { StatisticTable } from './tables';

/** The maximum size of a row's unknown members, as {@link sizeOfExtra} measures it. */
export const MAX_EXTRA_BYTES = 64 * 1024;
export const EXTRA_PROBLEM = problemAt('', createReason('csv.extra', { count: MAX_EXTRA_BYTES }));

/**
 * Returns whether the database rejected a row because of the size of its unknown members. A cluster names the constraint only in
 * the message.
 */
export const isExtraTooLarge = ({ constraint, message }: { constraint?: string; message: string }): boolean =>
  /_daily_statistics_extra_size\b/.test(constraint ?? message);

/** Divides a day's members into those with a column and the unknown ones. */
export function splitMembers(
  members: Record<string, unknown>,
  { key, fields }: StatisticTable,
): { columns: Record<string, unknown>; extra: Record<string, unknown> } {
  const columnNames = new Set([...key, ...fields]);
  const entries = Object.entries(members);
  return {
    columns: Object.fromEntries(entries.filter(([name]) => columnNames.has(name))),
    extra: Object.fromEntries(entries.filter(([name]) => !columnNames.has(name))),
  };
}

const SMALL_NUMBER = /^-?(\d)(?:\.(\d+))?e-(\d+)$/;

/** Returns how much longer a number is if it is written without an exponent, as `0.0000001` instead of `1e-7`. */
function lengthOfZeros(value: number): number {
  const text = String(value);
  const [, first, others = '', exponent] = SMALL_NUMBER.exec(text) ?? [];
  if (first === undefined) return 0;
  const signLength = value < 0 ? 1 : 0;
  return signLength + '0.'.length + Number(exponent) + others.length - text.length;
}

/** Adds up {@link lengthOfZeros} for all numbers of a value. */
function lengthOfAllZeros(value: unknown): number {
  if (typeof value === 'number') return lengthOfZeros(value);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((length, content) => length + lengthOfAllZeros(content), 0);
}

/**
 * Returns the size of unknown members in bytes: as JSON without spaces, whose numbers are written without an exponent, as PostgreSQL
 * stores them. So `1e-300` counts as 302 bytes, because that is what every reader gets. The constraint in the database measures the
 * same, once the members are merged with the stored ones.
 */
export function sizeOfExtra(extra: Record<string, unknown>): number {
  const json = JSON.stringify(extra);
  return Buffer.byteLength(json) + (/\de-\d/.test(json) ? lengthOfAllZeros(extra) : 0);
}

/** Reports why unknown members cannot be stored: what is wrong with each, and if they are too large. */
export function findExtraProblems(extra: Record<string, unknown>, report: ReportProblem): void {
  findStorageProblems(extra, report);
  if (sizeOfExtra(extra) > MAX_EXTRA_BYTES) report(() => EXTRA_PROBLEM);
}

/** Returns the first reason why unknown members cannot be stored; null if they can. */
export function extraProblem(extra: Record<string, unknown>): Problem | null {
  // What is nested too deep cannot be measured.
  return storageProblem(extra) ?? (sizeOfExtra(extra) > MAX_EXTRA_BYTES ? EXTRA_PROBLEM : null);
}
