import { createHash } from 'node:crypto';
import { because, type Reason } from '../core/errors/reason';
import type { OBSERVATION_KINDS, TrackingStatus } from '../core/statuses';
import { foldText } from '../core/text/fold';

/** An observation as stored, whatever its source. */
export interface Observation {
  trackingNumber: string;
  kind: (typeof OBSERVATION_KINDS)[number];
  identity: string;
  /** Milliseconds since the Unix epoch. */
  occurredAt: number;
  status: TrackingStatus | null;
  subStatus: string | null;
  stage: string | null;
  /** The provider's own word, if it maps to nothing. */
  providerStatus: string | null;
  description: string | null;
  location: string | null;
  source: string;
}

/** A part of a body or response that produced no event, with the reason. */
export interface SkippedPart {
  /** Its position, such as `data.3`. */
  path: string;
  /** Null if the number is what is missing. */
  trackingNumber: string | null;
  reason: Reason;
}

/** The result of reading a body or response. */
export interface ParsedReport {
  observations: Observation[];
  leftOut: SkippedPart[];
}

/** Returns the first of several reasons and the number of the others. */
export function summariseReasons(reasons: readonly Reason[]): Reason | null {
  const [first, ...more] = reasons;
  if (first === undefined || more.length === 0) return first ?? null;
  return because('join.more', { reason: first, count: more.length });
}

/** Returns the SHA-256 of the parts, in hexadecimal. */
export function hashParts(...parts: (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Returns the identity by which two deliveries of an event are recognised: number, UTC time, description and location, but not
 * status (docs/tracking.md).
 */
export function eventIdentity(
  trackingNumber: string,
  occurredAt: number,
  description: string | null,
  location: string | null,
): string {
  return hashParts(trackingNumber, occurredAt, foldText(description ?? ''), foldText(location ?? ''));
}
