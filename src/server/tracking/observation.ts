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

/** The result of parsing a body or response. */
export interface ParsedReport {
  observations: Observation[];
  skippedParts: SkippedPart[];
}

/** Returns the first reason, with the number of the others if there are any; null if there are no reasons. */
export function summariseReasons(reasons: readonly Reason[]): Reason | null {
  const [firstReason, ...otherReasons] = reasons;
  if (firstReason === undefined || otherReasons.length === 0) return firstReason ?? null;
  return createReason('join.more', { reason: firstReason, count: otherReasons.length });
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
