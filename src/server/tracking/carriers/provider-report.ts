import { z } from 'zod';
import { abridge } from '../../core/text';
import { isWallTime } from '../../core/time';
import { eventIdentity, hashParts, type Observation } from '../observation';
import { TRACKING_STATUSES, type TrackingStatus } from '../status';

/** What providers' words mean to us; `providerStatus` is the word itself where it maps to nothing. */
export interface ReportedStatus {
  status: TrackingStatus | null;
  subStatus: string | null;
  providerStatus: string | null;
}

/** One event as a provider tells it, whatever its wire format. */
export interface ReportedEvent extends ReportedStatus {
  /** Milliseconds of the Unix epoch; null where the provider gives no time that can be read. */
  at: number | null;
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

const MOMENT =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-][\d:]+)?$/i;
const OFFSET = /^([+-])(\d{1,2})(?::?([0-5]\d))?$/;
/** Times outside of these years are slips of a provider's clock, and some of them no database holds. */
const YEARS = [2000, 2099] as const;

function offsetMinutes(zone: string): number | null {
  const [, sign, hours, minutes] = OFFSET.exec(zone) ?? [];
  if (!hours || Number(hours) > 14) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0));
}

/**
 * The instant, in milliseconds of the Unix epoch, that an ISO-like text stands for. Its own zone counts, else `zone`
 * (`+02`, `+0530`, `+05:30`, `+8`), else UTC: never the zone of this machine. Null where it is no time of 2000 to 2099.
 */
export function readMoment(text: string | null, zone: string | null = null): number | null {
  const found = MOMENT.exec(text?.trim() ?? '');
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (year < YEARS[0] || year > YEARS[1]) return null;
  if (!isWallTime({ year, month, day, hour, minute, second })) return null;
  const own = found[8];
  const offset = own && own.toUpperCase() !== 'Z' ? offsetMinutes(own) : 0;
  if (offset === null) return null;
  const outer = own ? 0 : (offsetMinutes(zone?.trim() ?? '') ?? 0);
  const millisecond = Number((found[7] ?? '').padEnd(3, '0').slice(0, 3));
  return Date.UTC(year, month - 1, day, hour, minute - offset - outer, second, millisecond);
}

const saysAnything = (event: ReportedEvent) =>
  [event.at, event.description, event.location, event.stage, event.status, event.providerStatus].some(
    (part) => part !== null,
  );

/**
 * An event without a time is known by its texts and status: the time of receipt, which stands in for it, differs with each
 * delivery and would make a new event of every doubled one.
 */
function identityOf(trackingNumber: string, event: ReportedEvent): string {
  const { at, description, location } = event;
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
 * The observations that a report adds up to (docs/tracking.md, "How observations become a status"): each event once, at its own time or else at the
 * time of receipt, and the latest status at the time of the newest event. The same report again gives the same identities,
 * whenever it comes; no two observations of the answer have the same identity.
 */
export function observationsOfReport(report: ProviderReport): Observation[] {
  const { trackingNumber, source } = report;
  const byIdentity = new Map<string, Observation>();
  let newest: number | null = null;
  for (const event of report.events.filter(saysAnything)) {
    const { at, ...told } = event;
    const identity = identityOf(trackingNumber, event);
    const observation: Observation = {
      trackingNumber,
      kind: 'event',
      identity,
      occurredAt: at ?? report.receivedAt,
      ...told,
      source,
    };
    if (at !== null) newest = Math.max(newest ?? at, at);
    const known = byIdentity.get(identity);
    if (!known || telling(known) < telling(observation)) byIdentity.set(identity, observation);
  }
  const events = [...byIdentity.values()].sort((a, b) => a.occurredAt - b.occurredAt);
  return report.latest ? [...events, snapshotOf(report, report.latest, newest)] : events;
}
