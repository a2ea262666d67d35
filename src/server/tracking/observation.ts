import { createHash } from 'node:crypto';
import { because, type Reason } from '../core/reason';
import type { TrackingStatus } from './status';

/** An observation as it is stored, whoever made it. */
export interface Observation {
  trackingNumber: string;
  kind: 'event' | 'snapshot' | 'correction';
  identity: string;
  /** Milliseconds of the Unix epoch. */
  occurredAt: number;
  status: TrackingStatus | null;
  subStatus: string | null;
  stage: string | null;
  /** The provider's own word where it maps to nothing. */
  providerStatus: string | null;
  description: string | null;
  location: string | null;
  source: string;
}

/** A part of a body or an answer that made no event, and why. */
export interface LeftOut {
  /** Where it stands, such as `data.3`. */
  path: string;
  /** Null where that is what is missing. */
  trackingNumber: string | null;
  reason: Reason;
}

/** What a body or an answer comes to. */
export interface ReadReport {
  observations: Observation[];
  leftOut: LeftOut[];
}

/** The first of several reasons, with how many there are besides. */
export function summaryOf(reasons: readonly Reason[]): Reason | null {
  const [first, ...more] = reasons;
  if (first === undefined || more.length === 0) return first ?? null;
  return because('join.more', { reason: first, count: more.length });
}

const foldText = (text: string | null) =>
  (text ?? '').normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

/** SHA-256 over parts, in hexadecimal. */
export function hashParts(...parts: (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** What makes two deliveries of an event the same: number, UTC time, description and place; not its status (docs/tracking.md). */
export function eventIdentity(
  trackingNumber: string,
  occurredAt: number,
  description: string | null,
  location: string | null,
): string {
  return hashParts(trackingNumber, occurredAt, foldText(description), foldText(location));
}
