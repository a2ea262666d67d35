import type { ReportProblem } from '../core/errors/problem-list';
import { createReason, type Problem, problemAt } from '../core/errors/reason';
import { findStorageProblems, storageProblem } from '../core/text/storable-json';
import type { StatisticTable } from './tables';

/** The maximum size of a row's unknown members as JSON, in bytes. */
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

const isTooLarge = (extra: Record<string, unknown>): boolean =>
  Buffer.byteLength(JSON.stringify(extra)) > MAX_EXTRA_BYTES;

/**
 * Reports why unknown members cannot be stored: what is wrong with each, and if they are too large.
 *
 * @param extra from a body whose nesting is limited (json-limits.ts), because serializing deep nesting would exhaust the stack
 */
export function findExtraProblems(extra: Record<string, unknown>, report: ReportProblem): void {
  findStorageProblems(extra, report);
  if (isTooLarge(extra)) report(() => EXTRA_PROBLEM);
}

/** Returns the first reason why unknown members cannot be stored; null if they can. They may be nested to any depth. */
export function extraProblem(extra: Record<string, unknown>): Problem | null {
  return storageProblem(extra) ?? (isTooLarge(extra) ? EXTRA_PROBLEM : null);
}
