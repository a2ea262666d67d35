import { abridge, normaliseTrackingNumber } from '../../core/text';
import { observationsOf17Track } from '../carriers/provider-17track';
import { eventIdentity, hashParts, type Observation } from '../observation';
import { readStatus, statusOfSubStatus } from '../status';

/** What a callback's body says. */
export interface Understood {
  form: '17track' | 'plain' | 'unknown';
  /** In the order of their first mention, each once. */
  trackingNumbers: string[];
  observations: Observation[];
  /** Why nothing, or not all, was understood. */
  reason: string | null;
}

const MAX_NUMBER = 100;
const MAX_TEXT = 2_000;
/** A parcel older or newer than this is a mistake of the sender's clock. */
const FIRST_TIME = Date.UTC(1990, 0, 1);
const LAST_TIME = Date.UTC(2200, 0, 1);
const ZONED = /(?:[Zz]|[+-]\d{2}:?\d{2})$/;

type Members = Record<string, unknown>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text that can be stored, or null. */
function readText(value: unknown, max = MAX_TEXT): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).replaceAll('\u0000', '').toWellFormed().trim();
  return text === '' ? null : abridge(text, max);
}

function readNumber(value: unknown): string | null {
  const text = readText(value, MAX_NUMBER + 1);
  const number = text === null ? '' : normaliseTrackingNumber(text);
  return number === '' || number.length > MAX_NUMBER ? null : number;
}

/** An ISO 8601 time, in UTC where it names no zone; null for what is none. */
function readTime(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  const time = Date.parse(/\d:\d/.test(text) && !ZONED.test(text) ? `${text}Z` : text);
  return Number.isFinite(time) && time >= FIRST_TIME && time <= LAST_TIME ? time : null;
}

function plainObservation(
  entry: Members,
  receivedAt: number,
  bodyHash: string,
  index: number,
): Observation | null {
  const trackingNumber = readNumber(entry.tracking_number);
  if (trackingNumber === null) return null;
  const word = readText(entry.status, 100);
  const subStatus = readText(entry.sub_status, 100);
  const status =
    readStatus(word) ?? statusOfSubStatus(word) ?? (word === null ? statusOfSubStatus(subStatus) : null);
  const description = readText(entry.description);
  const location = readText(entry.location);
  const time = readTime(entry.time);
  return {
    trackingNumber,
    kind: 'event',
    // Without a time the same body again is the same event (docs/tracking.md).
    identity:
      time === null
        ? hashParts(trackingNumber, 'body', bodyHash, index)
        : eventIdentity(trackingNumber, time, description, location),
    occurredAt: time ?? receivedAt,
    status,
    subStatus,
    stage: null,
    providerStatus: status === null ? word : null,
    description,
    location,
    source: 'callback',
  };
}

function understandPlain(data: unknown, receivedAt: number, bodyHash: string): Understood | null {
  const entries = (Array.isArray(data) ? data : [data]).filter(
    (entry): entry is Members => isObject(entry) && 'tracking_number' in entry,
  );
  if (entries.length === 0) return null;
  const observations = entries
    .map((entry, index) => plainObservation(entry, receivedAt, bodyHash, index))
    .filter((observation) => observation !== null);
  const unknown = observations.filter((observation) => observation.status === null);
  return {
    form: 'plain',
    trackingNumbers: [...new Set(observations.map((observation) => observation.trackingNumber))],
    observations,
    reason:
      observations.length < entries.length
        ? 'an entry has no usable tracking_number'
        : unknown.length > 0
          ? `unknown status "${unknown[0]!.providerStatus ?? ''}"`
          : null,
  };
}

/**
 * Reads what a carrier's callback says: 17TRACK's v2 webhook or the plain form (docs/tracking.md, `POST /api/v1/tracks`). Never
 * throws: what is not understood is left out, with the reason.
 *
 * @param receivedAt milliseconds of the Unix epoch, for what carries no time
 * @param bodyHash SHA-256 of the body in hexadecimal, which makes what carries no time the same when it comes again
 */
export function understandCallback(body: Members, receivedAt: number, bodyHash: string): Understood {
  const { event, data } = body;
  const number = isObject(data) ? readNumber(data.number) : null;
  if (isObject(data) && number !== null && (typeof event !== 'string' || event.startsWith('TRACKING'))) {
    return {
      form: '17track',
      trackingNumbers: [number],
      observations: observationsOf17Track(number, data.track_info, receivedAt, bodyHash),
      reason: isObject(data.track_info) ? null : 'it has no track_info',
    };
  }
  const plain = understandPlain(data, receivedAt, bodyHash);
  if (plain) return plain;
  const reason =
    'neither the 17TRACK v2 webhook nor the plain form: data has neither number nor tracking_number';
  return { form: 'unknown', trackingNumbers: [], observations: [], reason };
}
