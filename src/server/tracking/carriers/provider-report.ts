import { z } from 'zod';
import { createReason } from '../../core/errors/reason';
import type { TrackingStatus } from '../../core/statuses';
import { truncate } from '../../core/text/text';
import type { EventTime } from '../event-time';
import {
  addSkippedPart,
  addUnreadEvents,
  eventIdentity,
  hashParts,
  type Observation,
  type ParsedReport,
  type SkippedParts,
} from '../observation';

/**
 * The meaning of a provider's status. `providerStatus` is the status, sub-status or stage as the provider sent it, if it has no
 * built-in meaning or contradicts `status`.
 */
export interface ReportedStatus {
  status: TrackingStatus | null;
  subStatus: string | null;
  providerStatus: string | null;
}

/** One event as reported by a provider, independent of the wire format. */
export interface ReportedEvent extends ReportedStatus {
  /** Its position in the provider's data. */
  path: string;
  time: EventTime;
  stage: string | null;
  description: string | null;
  location: string | null;
}

/** Events that were not read: the position of the first one, and how many there are. */
export interface UnreadEvents {
  path: string;
  count: number;
}

/** Everything that a provider reports about one number in one response or callback. */
export interface ProviderReport {
  trackingNumber: string;
  source: string;
  events: readonly ReportedEvent[];
  /** The events beyond `MAX_EVENTS`, which were not read. */
  unreadEvents: UnreadEvents | null;
  /** The latest status according to the provider itself. */
  latestStatus: ReportedStatus | null;
  /** Milliseconds since the Unix epoch. */
  receivedAt: number;
}

const MAX_TEXT_LENGTH = 2_000;

/**
 * Returns a provider's text or number in storable form (at most 2,000 characters, well-formed, without U+0000), or null if it is
 * blank or of another type.
 */
export function providerText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = truncate(String(value).replaceAll('\u0000', '').toWellFormed().trim(), MAX_TEXT_LENGTH);
  return text === '' ? null : text;
}

/** A string or number, as text. Null if missing, blank or of another type, so that it never invalidates other properties. */
export const looseText = z.unknown().optional().transform(providerText);

/** An array. Empty if missing or of another type. Its elements are not parsed yet. */
export const looseArray = z
  .unknown()
  .optional()
  .transform((value): unknown[] => (Array.isArray(value) ? value : []));

/** The reason for leaving out an event that is empty or not an object. */
const EMPTY_EVENT_REASON = createReason('callback.empty');

const hasContent = (event: ReportedEvent) =>
  [event.time.at, event.description, event.location, event.stage, event.status, event.providerStatus].some(
    (part) => part !== null,
  );

/**
 * Returns an event's identity. An event without a time is identified by its text and status, not by the time of receipt, which
 * differs with each delivery and would make every repeated event a new one.
 */
function identityOf(trackingNumber: string, event: ReportedEvent): string {
  const { description, location } = event;
  const { at } = event.time;
  const identity = eventIdentity(trackingNumber, at ?? 0, description, location);
  if (at !== null) return identity;
  const statusParts = [event.status, event.subStatus, event.stage, event.providerStatus];
  return hashParts(identity, 'undated', ...statusParts.map((part) => part ?? ''));
}

/** Returns a snapshot's identity. `newestTime` is the time of the report's newest event, or null if none has a time. */
function snapshotIdentity(
  trackingNumber: string,
  newestTime: number | null,
  status: string,
  subStatus: string,
): string {
  return hashParts(trackingNumber, 'snapshot', newestTime ?? 'undated', status, subStatus);
}

/**
 * Returns the latest status as an observation. If no event has a time, the status alone identifies it: the rest of a report, such
 * as when 17TRACK last asked the carrier, differs with each query even if there is no news.
 */
function snapshotOf(
  report: ProviderReport,
  latestStatus: ReportedStatus,
  newestTime: number | null,
): Observation {
  const { trackingNumber, source } = report;
  const status = latestStatus.status ?? latestStatus.providerStatus ?? '';
  const subStatus = latestStatus.subStatus ?? latestStatus.providerStatus ?? '';
  return {
    trackingNumber,
    kind: 'snapshot',
    identity: snapshotIdentity(trackingNumber, newestTime, status, subStatus),
    occurredAt: newestTime ?? report.receivedAt,
    status: latestStatus.status,
    subStatus: latestStatus.subStatus,
    stage: null,
    providerStatus: latestStatus.providerStatus,
    description: null,
    location: null,
    source,
  };
}

/** A stored observation that has a `providerStatus`. */
export interface StoredObservation
  extends Pick<Observation, 'trackingNumber' | 'kind' | 'identity' | 'occurredAt' | 'status'> {
  providerStatus: string;
}

/**
 * Returns whether the observation is a snapshot whose status the code itself recognised; its `providerStatus` is then a
 * sub-status that does not belong to this status. The identity shows this: it is a hash of the recognised status, never of one
 * from a mapping.
 */
export function isRecognisedSnapshot(observation: StoredObservation): boolean {
  const { trackingNumber, kind, identity, occurredAt, status, providerStatus } = observation;
  if (kind !== 'snapshot' || status === null) return false;
  return [occurredAt, null].some(
    (newestTime) => identity === snapshotIdentity(trackingNumber, newestTime, status, providerStatus),
  );
}

/**
 * Returns a report's observations: its events at their own times, and the latest status at the time of the newest event. Where no
 * time is given, the time of receipt counts. Empty events and those whose time is unreadable are left out, with the reason. The
 * same report always yields the same identities, whenever it arrives. If it has several versions of an event, they have the same
 * identity, and `addObservations` in merge.sql merges them.
 */
export function toParsedReport(report: ProviderReport): ParsedReport {
  const { trackingNumber, source } = report;
  const observations: Observation[] = [];
  const skipped: SkippedParts = { parts: [], count: 0 };
  let newestTime: number | null = null;
  for (const event of report.events) {
    const { path, time, ...details } = event;
    const reason = time.problem ?? (hasContent(event) ? null : EMPTY_EVENT_REASON);
    if (reason !== null) {
      addSkippedPart(skipped, { path, trackingNumber, reason });
      continue;
    }
    observations.push({
      trackingNumber,
      kind: 'event',
      identity: identityOf(trackingNumber, event),
      occurredAt: time.at ?? report.receivedAt,
      ...details,
      source,
    });
    if (time.at !== null) newestTime = Math.max(newestTime ?? time.at, time.at);
  }
  if (report.unreadEvents) {
    const { path, count } = report.unreadEvents;
    addUnreadEvents(skipped, { path, trackingNumber }, count);
  }
  observations.sort((a, b) => a.occurredAt - b.occurredAt);
  if (report.latestStatus) observations.push(snapshotOf(report, report.latestStatus, newestTime));
  return { observations, newestTime, skipped };
}
