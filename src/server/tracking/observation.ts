import { createHash } from 'node:crypto';
import { createReason, type Reason } from '../core/errors/reason';
import type { OBSERVATION_KINDS, TrackingStatus } from '../core/statuses';
import { foldText } from '../core/text/fold';

/** An observation in the form in which it is merged, whatever its source. */
export interface Observation {
  trackingNumber: string;
  kind: (typeof OBSERVATION_KINDS)[number];
  identity: string;
  /** Milliseconds since the Unix epoch. */
  occurredAt: number;
  status: TrackingStatus | null;
  subStatus: string | null;
  stage: string | null;
  /** The status, sub-status or stage as the provider sent it, if it has no built-in meaning or contradicts `status`. */
  providerStatus: string | null;
  description: string | null;
  location: string | null;
  source: string;
}

/** A part of a body or response that produced no event, with the reason. */
export interface SkippedPart {
  /** Its position, such as `data.3`. */
  path: string;
  /** Null if the part has no number. */
  trackingNumber: string | null;
  reason: Reason;
}

/** The parts of a body or response that produced no event. */
export interface SkippedParts {
  /** At most {@link MAX_SKIPPED_PARTS}. */
  parts: SkippedPart[];
  /** How many there are, including those that are not in `parts`. */
  count: number;
}

/** The result of parsing a body or response. */
export interface ParsedReport {
  observations: Observation[];
  /** The time of the newest event that has one, in milliseconds since the Unix epoch; null if none has. */
  newestTime: number | null;
  skipped: SkippedParts;
}

/**
 * The maximum number of events that are read from one callback, or from a carrier's answer about one number. Real ones have at most
 * a few hundred. The time to read more would be taken from other requests, and a body of 1 MiB has room for 500,000.
 */
export const MAX_EVENTS = 5_000;

/**
 * How many observations of each kind and status are kept of a number: the newest. Its status follows from the newest one of each,
 * so it is the same as if all were kept. All unknown statuses count as one (docs/tracking.md).
 */
export const MAX_KEPT_OBSERVATIONS = 500;

/** The maximum number of skipped parts that are kept with their reasons. The others are only counted. */
const MAX_SKIPPED_PARTS = 100;

/** Counts a skipped part, and keeps it if it is one of the first. */
export function addSkippedPart(skipped: SkippedParts, part: SkippedPart): void {
  skipped.count += 1;
  if (skipped.parts.length < MAX_SKIPPED_PARTS) skipped.parts.push(part);
}

/** Counts the events beyond {@link MAX_EVENTS}. The first of them comes before all other parts, because it tells the most. */
export function addUnreadEvents(
  skipped: SkippedParts,
  firstPart: Omit<SkippedPart, 'reason'>,
  count: number,
): void {
  skipped.count += count;
  skipped.parts.unshift({ ...firstPart, reason: createReason('callback.tooMany', { count: MAX_EVENTS }) });
  skipped.parts.splice(MAX_SKIPPED_PARTS);
}

/** Returns the first of `count` reasons with the number of the others, if there are any; null if there are no reasons. */
export function summariseReasons(firstReason: Reason | undefined, count: number): Reason | null {
  if (firstReason === undefined || count === 1) return firstReason ?? null;
  return createReason('join.more', { reason: firstReason, count: count - 1 });
}

/** Returns the SHA-256 of the parts, in hexadecimal. */
export function hashParts(...parts: (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Returns the identity by which repeated deliveries of an event are recognised. It depends on the number, UTC time, description
 * and location, but not on the status (docs/tracking.md).
 */
export function eventIdentity(
  trackingNumber: string,
  occurredAt: number,
  description: string | null,
  location: string | null,
): string {
  return hashParts(trackingNumber, occurredAt, foldText(description ?? ''), foldText(location ?? ''));
}
