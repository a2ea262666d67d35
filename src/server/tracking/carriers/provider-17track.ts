import { z } from 'zod';
import type { Observation } from '../observation';
import { readStage, readStatus, statusOfSubStatus } from '../status';
import {
  looseArray,
  looseText,
  observationsOfReport,
  type ReportedEvent,
  type ReportedStatus,
  readMoment,
} from './provider-report';

const SOURCE = '17track';

// Every member may be missing, null, of another type or of a value that is new to us (docs/tracking.md: open strings): the
// schemas read what can be read, and what cannot is null.
const addressSchema = z.object({ country: looseText, state: looseText, city: looseText });

const eventSchema = z.object({
  time_iso: looseText,
  time_utc: looseText,
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

/** Those elements that the schema can read; the others are left out. */
function readable<T>(schema: z.ZodType<T>, elements: readonly unknown[]): T[] {
  return elements.flatMap((element) => {
    const read = schema.safeParse(element);
    return read.success ? [read.data] : [];
  });
}

function placeOf({ location, address }: Event): string | null {
  if (location !== null || !address) return location;
  const parts = [address.city, address.state, address.country].filter((part) => part !== null);
  return parts.length > 0 ? [...new Set(parts)].join(', ') : null;
}

/** An event's own status: its sub-status's main status, else what its stage means (docs/tracking.md). */
function eventStatus({ sub_status: subStatus, stage }: Event): ReportedStatus {
  const status = statusOfSubStatus(subStatus);
  if (status) return { status, subStatus, providerStatus: null };
  const byStage = readStage(stage);
  return {
    status: byStage?.status ?? null,
    subStatus: byStage?.subStatus ?? null,
    providerStatus: subStatus ?? (byStage ? null : stage),
  };
}

function readEvent(event: Event): ReportedEvent {
  return {
    at: readMoment(event.time_utc) ?? readMoment(event.time_iso),
    ...eventStatus(event),
    stage: event.stage,
    description: event.description,
    location: placeOf(event),
  };
}

/** The latest status; a sub-status that belongs to another main status is kept as the provider's word alone. */
function readLatest(latest: z.output<typeof latestStatusSchema> | null | undefined): ReportedStatus | null {
  if (!latest || (latest.status === null && latest.sub_status === null)) return null;
  const { status: word, sub_status: subStatus } = latest;
  const status = word === null ? statusOfSubStatus(subStatus) : readStatus(word);
  if (!status) return { status: null, subStatus: null, providerStatus: word ?? subStatus };
  const fits = subStatus === null || statusOfSubStatus(subStatus) === status;
  return { status, subStatus: fits ? subStatus : null, providerStatus: fits ? null : subStatus };
}

/**
 * What 17TRACK's `track_info` says of a number, from the webhook or from `gettrackinfo`, as observations: the events of all
 * providers (`latest_event` only where there are none), and the latest status as a snapshot. Never throws: what cannot be
 * read is left out, one event at a time.
 *
 * The rules are those of docs/tracking.md, "How observations become a status". `receivedAt` is in milliseconds of the Unix epoch and stands in for
 * times that are missing; `bodyHash` makes a snapshot without any event the same when the same body comes again.
 */
export function observationsOf17Track(
  trackingNumber: string,
  trackInfo: unknown,
  receivedAt: number,
  bodyHash: string,
): Observation[] {
  const read = trackInfoSchema.safeParse(trackInfo);
  if (!read.success) return [];
  const { tracking, latest_event: latestEvent, latest_status: latestStatus } = read.data;
  const told = readable(providerSchema, tracking?.providers ?? []).flatMap((provider) => provider.events);
  const events = readable(eventSchema, told.length > 0 ? told : [latestEvent]).map(readEvent);
  const latest = readLatest(latestStatus);
  return observationsOfReport({ trackingNumber, source: SOURCE, events, latest, receivedAt, bodyHash });
}

/** The name of the carrier that 17TRACK asked, of several the first; null where it names none. */
export function carrierOf17Track(trackInfo: unknown): string | null {
  const read = trackInfoSchema.safeParse(trackInfo);
  const providers = readable(providerSchema, read.data?.tracking?.providers ?? []);
  return providers.find(({ provider }) => provider?.name)?.provider?.name ?? null;
}
