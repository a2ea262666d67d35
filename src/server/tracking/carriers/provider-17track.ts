import { z } from 'zod';
import { type EventTime, readEventTime } from '../event-time';
import type { ParsedReport } from '../observation';
import { readProviderStatus, readStage, statusOfSubStatus } from '../status';
import {
  looseArray,
  looseText,
  type ReportedEvent,
  type ReportedStatus,
  toParsedReport,
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

const providerSchema = z.object({
  provider: z.object({ name: looseText }).nullish().catch(null),
  events: looseArray,
});

const trackInfoSchema = z.object({
  latest_status: latestStatusSchema.nullish().catch(null),
  latest_event: z.unknown().optional(),
  tracking: z.object({ providers: looseArray }).nullish().catch(null),
});

type Event = z.output<typeof eventSchema>;

/** Replaces an element that is not an object. */
const EMPTY_EVENT = eventSchema.parse({});

/** Returns the elements that match the schema. */
function parseMatchingElements<T>(schema: z.ZodType<T>, elements: readonly unknown[]): T[] {
  return elements.flatMap((element) => {
    const parseResult = schema.safeParse(element);
    return parseResult.success ? [parseResult.data] : [];
  });
}

function locationOf({ location, address }: Event): string | null {
  if (location !== null || !address) return location;
  const parts = [address.city, address.state, address.country].filter((part) => part !== null);
  return parts.length > 0 ? [...new Set(parts)].join(', ') : null;
}

/** Returns an event's own status: the main status of its sub-status, otherwise the meaning of its stage (docs/tracking.md). */
function eventStatus({ sub_status: subStatus, stage }: Event): ReportedStatus {
  const status = statusOfSubStatus(subStatus);
  if (status) return { status, subStatus, providerStatus: null };
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
  const subStatusFits = subStatus === null || statusOfSubStatus(subStatus) === status;
  return {
    status,
    subStatus: subStatusFits ? subStatus : null,
    providerStatus: subStatusFits ? null : subStatus,
  };
}

interface EventWithPath {
  path: string;
  element: unknown;
}

/** Returns the events of all providers with their paths, or `latest_event` if there are none. */
function listEventsWithPaths(trackInfo: z.output<typeof trackInfoSchema>): EventWithPath[] {
  const providerEvents = (trackInfo.tracking?.providers ?? []).flatMap((provider, providerIndex) =>
    parseMatchingElements(providerSchema, [provider]).flatMap(({ events }) =>
      events.map((element, eventIndex) => ({
        path: `tracking.providers.${providerIndex}.events.${eventIndex}`,
        element,
      })),
    ),
  );
  if (providerEvents.length > 0) return providerEvents;
  return trackInfo.latest_event ? [{ path: 'latest_event', element: trackInfo.latest_event }] : [];
}

/**
 * Parses 17TRACK's `track_info` for a number, from the webhook or from `gettrackinfo`, into observations: the events of all
 * providers (or `latest_event` if there are none), and the latest status as a snapshot. Never throws. Unreadable events are
 * left out individually, with the reason.
 *
 * `receivedAt` is in milliseconds since the Unix epoch and replaces missing times.
 */
export function parse17TrackInfo(
  trackingNumber: string,
  trackInfo: unknown,
  receivedAt: number,
): ParsedReport {
  const parseResult = trackInfoSchema.safeParse(trackInfo);
  if (!parseResult.success) return { observations: [], skippedParts: [] };
  const events = listEventsWithPaths(parseResult.data).map(({ path, element }) =>
    readEvent(eventSchema.safeParse(element).data ?? EMPTY_EVENT, path),
  );
  const latestStatus = readLatestStatus(parseResult.data.latest_status);
  return toParsedReport({ trackingNumber, source: SOURCE, events, latestStatus, receivedAt });
}

/** Returns the name of the carrier that 17TRACK queried (the first if there are several), or null if it names none. */
export function carrierNameFrom17Track(trackInfo: unknown): string | null {
  const parseResult = trackInfoSchema.safeParse(trackInfo);
  const providers = parseMatchingElements(providerSchema, parseResult.data?.tracking?.providers ?? []);
  return providers.find(({ provider }) => provider?.name)?.provider?.name ?? null;
}
