import { z } from 'zod';
import { type EventTime, readEventTime } from '../event-time';
import { MAX_EVENTS, type ParsedReport } from '../observation';
import { readProviderStatus, readStage, readSubStatus, statusOfSubStatus } from '../status';
import {
  looseArray,
  looseText,
  providerText,
  type ReportedEvent,
  type ReportedStatus,
  toParsedReport,
  type UnreadEvents,
} from './provider-report';

const SOURCE = '17track';

// Any property may be missing, null or of the wrong type. The schemas then read null, undefined or an empty array, but they do not
// check times and `latest_event`.
const addressSchema = z.object({ country: looseText, state: looseText, city: looseText });

const eventSchema = z.object({
  time_iso: z.unknown().optional(),
  time_utc: z.unknown().optional(),
  description: looseText,
  location: looseText,
  stage: looseText,
  sub_status: looseText,
  address: addressSchema.nullish().catch(null),
});

const latestStatusSchema = z.object({ status: looseText, sub_status: looseText });

const trackInfoSchema = z.object({
  latest_status: latestStatusSchema.nullish().catch(null),
  latest_event: z.unknown().optional(),
  tracking: z.object({ providers: looseArray }).nullish().catch(null),
});

type Event = z.output<typeof eventSchema>;

/** Replaces an element that is not an object. */
const EMPTY_EVENT = eventSchema.parse({});

/** Returns a member of an element of `providers`, which may be anything. A schema takes too long for very many of them. */
const memberOf = (element: unknown, name: string): unknown =>
  typeof element === 'object' && element !== null ? (element as Record<string, unknown>)[name] : undefined;

function locationOf({ location, address }: Event): string | null {
  if (location !== null || !address) return location;
  const parts = [address.city, address.state, address.country].filter((part) => part !== null);
  return parts.length > 0 ? [...new Set(parts)].join(', ') : null;
}

/** Returns an event's own status: the main status of its sub-status, otherwise the meaning of its stage (docs/tracking.md). */
function eventStatus({ sub_status: subStatus, stage }: Event): ReportedStatus {
  const status = statusOfSubStatus(subStatus);
  if (status && subStatus !== null)
    return { status, subStatus: readSubStatus(status, subStatus), providerStatus: null };
  const stageMeaning = readStage(stage);
  return {
    status: stageMeaning?.status ?? null,
    subStatus: stageMeaning?.subStatus ?? null,
    providerStatus: subStatus ?? (stageMeaning ? null : stage),
  };
}

/**
 * Reads `time_utc`, or `time_iso` if that fails. If neither is readable, the time counts as missing only if both are missing.
 */
function eventTime(event: Event): EventTime {
  const utcTime = readEventTime(event.time_utc);
  if (utcTime.at !== null) return utcTime;
  const isoTime = readEventTime(event.time_iso);
  return isoTime.at !== null || utcTime.problem === null ? isoTime : utcTime;
}

function readEvent(event: Event, path: string): ReportedEvent {
  return {
    path,
    time: eventTime(event),
    ...eventStatus(event),
    stage: event.stage,
    description: event.description,
    location: locationOf(event),
  };
}

/**
 * Reads the latest status, or returns null if there is none. An unknown main status, or a sub-status that does not belong to the
 * main status, becomes `providerStatus`.
 */
function readLatestStatus(
  latestStatus: z.output<typeof latestStatusSchema> | null | undefined,
): ReportedStatus | null {
  if (!latestStatus || (latestStatus.status === null && latestStatus.sub_status === null)) return null;
  const { status: providerStatus, sub_status: subStatus } = latestStatus;
  const status = providerStatus === null ? statusOfSubStatus(subStatus) : readProviderStatus(providerStatus);
  if (!status) return { status: null, subStatus: null, providerStatus: providerStatus ?? subStatus };
  const knownSubStatus = subStatus === null ? null : readSubStatus(status, subStatus);
  const subStatusFits = subStatus === null || statusOfSubStatus(knownSubStatus) === status;
  return {
    status,
    subStatus: subStatusFits ? knownSubStatus : null,
    providerStatus: subStatusFits ? null : subStatus,
  };
}

interface EventWithPath {
  path: string;
  element: unknown;
}

/**
 * Returns the events of all providers with their paths, or `latest_event` if there are none. Stops at `MAX_EVENTS` and counts the
 * others.
 */
function listEventsWithPaths(trackInfo: z.output<typeof trackInfoSchema>): {
  events: EventWithPath[];
  unreadEvents: UnreadEvents | null;
} {
  const events: EventWithPath[] = [];
  let unreadEvents: UnreadEvents | null = null;
  for (const [providerIndex, provider] of (trackInfo.tracking?.providers ?? []).entries()) {
    const elements = memberOf(provider, 'events');
    if (!Array.isArray(elements) || elements.length === 0) continue;
    const pathOf = (eventIndex: number) => `tracking.providers.${providerIndex}.events.${eventIndex}`;
    const readElements = elements.slice(0, MAX_EVENTS - events.length);
    for (const [eventIndex, element] of readElements.entries())
      events.push({ path: pathOf(eventIndex), element });
    const unreadCount = elements.length - readElements.length;
    if (unreadCount === 0) continue;
    unreadEvents ??= { path: pathOf(readElements.length), count: 0 };
    unreadEvents.count += unreadCount;
  }
  if (events.length === 0 && trackInfo.latest_event)
    events.push({ path: 'latest_event', element: trackInfo.latest_event });
  return { events, unreadEvents };
}

/**
 * Parses 17TRACK's `track_info` for a number, from the webhook or from `gettrackinfo`, into observations: the events of all
 * providers (or `latest_event` if there are none), and the latest status as a snapshot. Never throws. Unreadable events are
 * left out individually, with the reason, and so are those beyond `MAX_EVENTS`.
 *
 * `receivedAt` is in milliseconds since the Unix epoch and replaces missing times.
 */
export function parse17TrackInfo(
  trackingNumber: string,
  trackInfo: unknown,
  receivedAt: number,
): ParsedReport {
  const parseResult = trackInfoSchema.safeParse(trackInfo);
  if (!parseResult.success) return { observations: [], newestTime: null, skipped: { parts: [], count: 0 } };
  const { events, unreadEvents } = listEventsWithPaths(parseResult.data);
  return toParsedReport({
    trackingNumber,
    source: SOURCE,
    events: events.map(({ path, element }) =>
      readEvent(eventSchema.safeParse(element).data ?? EMPTY_EVENT, path),
    ),
    unreadEvents,
    latestStatus: readLatestStatus(parseResult.data.latest_status),
    receivedAt,
  });
}

/** Returns the name of the carrier that 17TRACK queried (the first if there are several), or null if it names none. */
export function carrierNameFrom17Track(trackInfo: unknown): string | null {
  const parseResult = trackInfoSchema.safeParse(trackInfo);
  for (const element of parseResult.data?.tracking?.providers ?? []) {
    const name = providerText(memberOf(memberOf(element, 'provider'), 'name'));
    if (name !== null) return name;
  }
  return null;
}
