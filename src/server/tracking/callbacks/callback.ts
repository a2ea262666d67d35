import { createReason, type Reason } from '../../core/errors/reason';
import { isJsonObject } from '../../core/text/json-object';
import { isLongerThan, normaliseTrackingNumber, truncate, unstorableReason } from '../../core/text/text';
import { carrierNameFrom17Track, parse17TrackInfo } from '../carriers/provider-17track';
import { readEventTime } from '../event-time';
import {
  addSkippedPart,
  addUnreadEvents,
  eventIdentity,
  hashParts,
  MAX_EVENTS,
  type Observation,
  type SkippedPart,
  type SkippedParts,
  summariseReasons,
} from '../observation';
import { readProviderStatus, readSubStatus, statusOfSubStatus } from '../status';

/** The parsed content of a callback's body. */
export interface ParsedCallback {
  form: '17track' | 'plain' | 'unknown';
  /**
   * The number of a 17TRACK webhook, or those of the observations in the plain form, in the order of the body, without duplicates.
   */
  trackingNumbers: string[];
  observations: Observation[];
  /** The carrier, as a 17TRACK webhook names it. */
  carrier: string | null;
  /** Parts of the body that produced no event. */
  skipped: SkippedParts;
  /** Why the body, or a part of it, was not understood. */
  reason: Reason | null;
}

/** What a body yields that is not understood. */
export const NOTHING_PARSED = {
  trackingNumbers: [],
  observations: [],
  carrier: null,
  skipped: { parts: [], count: 0 },
};

const MAX_NUMBER_LENGTH = 100;
const MAX_TEXT_LENGTH = 2_000;

type Members = Record<string, unknown>;

/**
 * Returns whether a value is a number beyond ±(2^53-1), whose last digits are lost: it may be another parcel's number. Unlike the
 * function of this name in core/exact-integer.ts, also for a number that JSON.parse reads as infinite.
 */
const hasLostDigits = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;

/**
 * Returns a string or number as storable text of at most `maxLength` characters; null if it is blank, of another type, or a number
 * whose digits are lost.
 */
function readText(value: unknown, maxLength = MAX_TEXT_LENGTH): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  if (hasLostDigits(value)) return null;
  const text = String(value).replaceAll('\u0000', '').toWellFormed().trim();
  return text === '' ? null : truncate(text, maxLength);
}

/**
 * Returns a tracking number as it is stored; null if it is missing, too long without its spaces, or cannot be stored. It is never
 * shortened or repaired, which would make it another number.
 */
function readTrackingNumber(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  if (hasLostDigits(value)) return null;
  const number = normaliseTrackingNumber(String(value));
  const isUsable =
    number !== '' && !isLongerThan(number, MAX_NUMBER_LENGTH) && unstorableReason(number) === null;
  return isUsable ? number : null;
}

const missingNumberReason = (value: unknown): Reason =>
  createReason(hasLostDigits(value) ? 'callback.lostDigits' : 'callback.noNumber');

/** The time of receipt and the hash of the body being parsed. */
interface BodyMetadata {
  receivedAt: number;
  bodyHash: string;
}

function readEntry(entry: unknown, path: string, bodyMetadata: BodyMetadata): Observation | SkippedPart {
  const trackingNumber = isJsonObject(entry) ? readTrackingNumber(entry.tracking_number) : null;
  if (!isJsonObject(entry) || trackingNumber === null)
    return {
      path,
      trackingNumber,
      reason: missingNumberReason(isJsonObject(entry) && entry.tracking_number),
    };
  const providerStatus = readText(entry.status, 100);
  if (providerStatus === null) return { path, trackingNumber, reason: createReason('callback.noStatus') };
  const time = readEventTime(entry.time);
  if (time.problem !== null) return { path, trackingNumber, reason: time.problem };
  const mainStatus = readProviderStatus(providerStatus);
  const status = mainStatus ?? statusOfSubStatus(providerStatus);
  const reportedSubStatus =
    readText(entry.sub_status, 100) ?? (mainStatus === null && status !== null ? providerStatus : null);
  const subStatus =
    status === null || reportedSubStatus === null
      ? reportedSubStatus
      : readSubStatus(status, reportedSubStatus);
  // A sub-status of another main status is kept only as the sender's own text.
  const strayText = subStatus === null ? reportedSubStatus : null;
  const description = readText(entry.description);
  const location = readText(entry.location);
  return {
    trackingNumber,
    kind: 'event',
    // An event without a time gets the time of receipt, which differs with each delivery. Its identity therefore uses the hash
    // of the body: equal entries in one body are one event, and the same body delivered again yields the same event.
    identity:
      time.at === null
        ? hashParts(
            eventIdentity(trackingNumber, 0, description, location),
            'body',
            bodyMetadata.bodyHash,
            providerStatus,
            reportedSubStatus ?? '',
          )
        : eventIdentity(trackingNumber, time.at, description, location),
    occurredAt: time.at ?? bodyMetadata.receivedAt,
    status,
    subStatus,
    stage: null,
    providerStatus: status === null ? providerStatus : strayText,
    description,
    location,
    source: 'callback',
  };
}

const isSkipped = (result: Observation | SkippedPart): result is SkippedPart => 'reason' in result;

function parsePlainForm(data: unknown, bodyMetadata: BodyMetadata): ParsedCallback | null {
  const entries = Array.isArray(data) ? data : [data];
  if (!entries.some((entry) => isJsonObject(entry) && 'tracking_number' in entry)) return null;
  const observations: Observation[] = [];
  const skipped: SkippedParts = { parts: [], count: 0 };
  for (const [index, entry] of entries.slice(0, MAX_EVENTS).entries()) {
    const result = readEntry(entry, Array.isArray(data) ? `data.${index}` : 'data', bodyMetadata);
    if (isSkipped(result)) addSkippedPart(skipped, result);
    else observations.push(result);
  }
  if (entries.length > MAX_EVENTS)
    addUnreadEvents(
      skipped,
      { path: `data.${MAX_EVENTS}`, trackingNumber: null },
      entries.length - MAX_EVENTS,
    );
  const observationsWithoutStatus = observations.filter((observation) => observation.status === null);
  const [firstWithoutStatus] = observationsWithoutStatus;
  const unknownStatusReason =
    firstWithoutStatus &&
    createReason('callback.unknown', { value: firstWithoutStatus.providerStatus ?? '' });
  return {
    form: 'plain',
    trackingNumbers: [...new Set(observations.map((observation) => observation.trackingNumber))],
    observations,
    carrier: null,
    skipped,
    reason: summariseReasons(
      skipped.parts[0]?.reason ?? unknownStatusReason,
      skipped.count + observationsWithoutStatus.length,
    ),
  };
}

/**
 * Parses a carrier's callback: 17TRACK's v2 webhook or the plain form. Never throws. The events and entries that it leaves out are
 * listed in `skipped` with the reason.
 *
 * @param receivedAt milliseconds since the Unix epoch, used for events without a time
 * @param bodyHash SHA-256 of the body in hexadecimal, so that plain-form entries without a time keep their identity when the body
 * is delivered again
 */
export function parseCallback(body: Members, receivedAt: number, bodyHash: string): ParsedCallback {
  const { event, data } = body;
  const isWebhook =
    isJsonObject(data) && 'number' in data && (typeof event !== 'string' || event.startsWith('TRACKING'));
  const number = isWebhook ? readTrackingNumber(data.number) : null;
  if (isWebhook && number !== null) {
    const { observations, skipped } = parse17TrackInfo(number, data.track_info, receivedAt);
    return {
      form: '17track',
      trackingNumbers: [number],
      observations,
      carrier: carrierNameFrom17Track(data.track_info),
      skipped: {
        parts: skipped.parts.map((part) => ({ ...part, path: `data.track_info.${part.path}` })),
        count: skipped.count,
      },
      reason: isJsonObject(data.track_info)
        ? summariseReasons(skipped.parts[0]?.reason, skipped.count)
        : createReason('callback.noTrackInfo'),
    };
  }
  const plainCallback = parsePlainForm(data, { receivedAt, bodyHash });
  if (plainCallback) return plainCallback;
  if (!isWebhook) return { form: 'unknown', ...NOTHING_PARSED, reason: createReason('callback.noForm') };
  return { form: '17track', ...NOTHING_PARSED, reason: missingNumberReason(data.number) };
}
