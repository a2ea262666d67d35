import { z } from 'zod';
import { because } from '../../core/reason';
import { abridge } from '../../core/text';
import type { EventTime } from '../event-time';
import { eventIdentity, hashParts, type LeftOut, type Observation, type ReadReport } from '../observation';
import { TRACKING_STATUSES, type TrackingStatus } from '../status';

/** What providers' words mean to us; `providerStatus` is the word itself where it maps to nothing. */
export interface ReportedStatus {
  status: TrackingStatus | null;
  subStatus: string | null;
  providerStatus: string | null;
}

/** One event as a provider tells it, whatever its wire format. */
export interface ReportedEvent extends ReportedStatus {
  /** Where it stands in what the provider sent. */
  path: string;
  time: EventTime;
  stage: string | null;
  description: string | null;
  location: string | null;
}

/** All that a provider says of one number in one answer or callback. */
export interface ProviderReport {
  trackingNumber: string;
  source: string;
  events: readonly ReportedEvent[];
  /** The status that the provider itself names as the latest. */
  latest: ReportedStatus | null;
  /** Milliseconds of the Unix epoch. */
  receivedAt: number;
  /** Tells this report from the next one where nothing in it has a time. */
  bodyHash: string;
}

const TEXT_LIMIT = 2_000;

/** A provider's text in a form that can be stored: at most 2,000 characters, well-formed, without U+0000; null where empty. */
export function providerText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = abridge(String(value).replaceAll('\u0000', '').toWellFormed().trim(), TEXT_LIMIT);
  return text === '' ? null : text;
}

/** A text field that may be missing, null or of another type: then null, so that it never spoils what is beside it. */
export const looseText = z.unknown().optional().transform(providerText);

/** An array field that may be missing, null or of another type: then empty. Its elements are still to be read. */
export const looseArray = z
  .unknown()
  .optional()
  .transform((value): unknown[] => (Array.isArray(value) ? value : []));

/** Why an event that is empty, or no object, is left out. */
const SAYS_NOTHING = because('callback.empty');

const saysAnything = (event: ReportedEvent) =>
  [event.time.at, event.description, event.location, event.stage, event.status, event.providerStatus].some(
    (part) => part !== null,
  );

/**
 * An event without a time is known by its texts and status: the time of receipt, which stands in for it, differs with each
 * delivery and would make a new event of every doubled one.
 */
function identityOf(trackingNumber: string, event: ReportedEvent): string {
  const { description, location } = event;
  const { at } = event.time;
  const identity = eventIdentity(trackingNumber, at ?? 0, description, location);
  if (at !== null) return identity;
  const words = [event.status, event.subStatus, event.stage, event.providerStatus];
  return hashParts(identity, 'undated', ...words.map((word) => word ?? ''));
}

/** Of two tellings of one event the one that says more, so that their order in the report cannot matter. */
function telling(event: Observation): string {
  const rank = event.status === null ? 0 : TRACKING_STATUSES.indexOf(event.status) + 1;
  const words = [event.subStatus, event.stage, event.description, event.location, event.providerStatus];
  // What is not told comes before whatever is: the separator is less than any letter.
  return [rank + 10, ...words.map((word) => word ?? '')].join('\u0001');
}

function snapshotOf(report: ProviderReport, latest: ReportedStatus, newest: number | null): Observation {
  const { trackingNumber, source } = report;
  const word = latest.status ?? latest.providerStatus ?? '';
  return {
    trackingNumber,
    kind: 'snapshot',
    identity: hashParts(
      trackingNumber,
      'snapshot',
      newest ?? report.bodyHash,
      word,
      latest.subStatus ?? latest.providerStatus ?? '',
    ),
    occurredAt: newest ?? report.receivedAt,
    status: latest.status,
    subStatus: latest.subStatus,
    stage: null,
    providerStatus: latest.providerStatus,
    description: null,
    location: null,
    source,
  };
}

/**
 * The observations that a report adds up to: each event once, at its own time or else, where it gives none, at the time of
 * receipt; and the latest status at the time of the newest event. An event whose time cannot be read is left out, with the
 * reason; so is one that says nothing. The same report again gives the same identities, whenever it comes; no two observations
 * of the answer have the same identity.
 */
export function observationsOfReport(report: ProviderReport): ReadReport {
  const { trackingNumber, source } = report;
  const byIdentity = new Map<string, Observation>();
  const leftOut: LeftOut[] = [];
  let newest: number | null = null;
  for (const event of report.events) {
    const { path, time, ...told } = event;
    const reason = time.problem ?? (saysAnything(event) ? null : SAYS_NOTHING);
    if (reason !== null) {
      leftOut.push({ path, trackingNumber, reason });
      continue;
    }
    const identity = identityOf(trackingNumber, event);
    const observation: Observation = {
      trackingNumber,
      kind: 'event',
      identity,
      occurredAt: time.at ?? report.receivedAt,
      ...told,
      source,
    };
    if (time.at !== null) newest = Math.max(newest ?? time.at, time.at);
    const known = byIdentity.get(identity);
    if (!known || telling(known) < telling(observation)) byIdentity.set(identity, observation);
  }
  const observations = [...byIdentity.values()].sort((a, b) => a.occurredAt - b.occurredAt);
  if (report.latest) observations.push(snapshotOf(report, report.latest, newest));
  return { observations, leftOut };
}
