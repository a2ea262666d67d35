import { parse17TrackInfo } from '../../src/server/tracking/carriers/provider-17track';

/** The tracking number that the payloads are about. */
export const NUMBER = 'LZ123456789CN';

/** When the payloads arrive, unless a test says otherwise. */
export const RECEIVED_AT = Date.UTC(2026, 10, 20, 12);

/** An event as 17TRACK sends it, which occurred at {@link OCCURRED_AT}. */
export const EVENT = { time_utc: '2026-11-18T14:30:00Z', description: 'Arrived', location: 'Berlin' };
export const OCCURRED_AT = Date.UTC(2026, 10, 18, 14, 30);

/** Returns a `track_info` of 17TRACK with these events of one provider. */
export const trackInfoOf = (events: unknown, otherMembers: Record<string, unknown> = {}) => ({
  tracking: { providers: [{ provider: { key: 1, name: 'USPS' }, events }] },
  ...otherMembers,
});

/** Returns what is read from a `track_info` about {@link NUMBER}. */
export const observationsOf = (trackInfo: unknown, receivedAt = RECEIVED_AT) =>
  parse17TrackInfo(NUMBER, trackInfo, receivedAt).observations;
