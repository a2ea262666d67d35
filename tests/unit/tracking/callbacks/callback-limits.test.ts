import { describe, expect, it } from 'vitest';
import { parseCallback } from '../../../../src/server/tracking/callbacks/callback';
import {
  carrierNameFrom17Track,
  parse17TrackInfo,
} from '../../../../src/server/tracking/carriers/provider-17track';
import { MAX_EVENTS } from '../../../../src/server/tracking/observation';

const TIME = '2026-08-28T10:00:00Z';
const TOO_MANY = { reason: 'callback.tooMany', values: { count: MAX_EVENTS } };

const parse = (data: unknown) => parseCallback({ data }, 0, 'hash');

/** Returns as many elements as asked for, and how many of them have been read so far. */
function makeCountedElements(count: number, element: Record<string, unknown>) {
  const { description, ...members } = element;
  let readCount = 0;
  const elements = Array.from({ length: count }, (_, index) => ({
    ...members,
    get description() {
      readCount += 1;
      return `${description} ${index}`;
    },
  }));
  return { elements, countReads: () => readCount };
}

describe('one body', () => {
  it('has at most 5,000 events that are read, over all providers; the others are counted', () => {
    const first = makeCountedElements(MAX_EVENTS - 10, { time_utc: TIME, description: 'a' });
    const second = makeCountedElements(30, { time_utc: TIME, description: 'b' });
    const third = makeCountedElements(500, { time_utc: TIME, description: 'c' });
    const providers = [first, second, third].map(({ elements }) => ({ events: elements }));
    const callback = parse({ number: 'A1', track_info: { tracking: { providers: [0, ...providers] } } });
    expect([first, second, third].map(({ countReads }) => countReads())).toEqual([MAX_EVENTS - 10, 10, 0]);
    expect(callback.observations).toHaveLength(MAX_EVENTS);
    expect(callback.skipped).toEqual({
      parts: [
        { path: 'data.track_info.tracking.providers.2.events.10', trackingNumber: 'A1', reason: TOO_MANY },
      ],
      count: 520,
    });
    expect(callback.reason).toEqual({ reason: 'join.more', values: { reason: TOO_MANY, count: 519 } });
  });

  it('has at most 5,000 entries that are read in the plain form; the others are counted', () => {
    const entry = { tracking_number: 'A1', status: 'in_transit', time: TIME, description: 'a' };
    const { elements, countReads } = makeCountedElements(MAX_EVENTS + 20, entry);
    const callback = parse(elements);
    expect(countReads()).toBe(MAX_EVENTS);
    expect(callback.observations).toHaveLength(MAX_EVENTS);
    expect(callback.skipped).toEqual({
      parts: [{ path: `data.${MAX_EVENTS}`, trackingNumber: null, reason: TOO_MANY }],
      count: 20,
    });
  });

  it('has at most 5,000 events that are read if a carrier answers with it', () => {
    const { elements, countReads } = makeCountedElements(MAX_EVENTS + 20, { description: 'a' });
    const trackInfo = { tracking: { providers: [{ events: elements }] } };
    expect(parse17TrackInfo('A1', trackInfo, 0).skipped.count).toBe(20);
    expect(countReads()).toBe(MAX_EVENTS);
  });

  it.each([
    [
      'webhook',
      { number: 'A1', track_info: { tracking: { providers: [{ events: Array(500_000).fill(0) }] } } },
    ],
    ['list', [{ tracking_number: 'A1' }, ...Array(499_999).fill(0)]],
  ])('that is a %s of 500,000 broken parts keeps a hundred of them, and their number', (_, data) => {
    const { skipped } = parse(data);
    expect([skipped.parts.length, skipped.count]).toEqual([100, 500_000]);
    expect(skipped.parts[0]!.reason).toEqual(TOO_MANY);
    expect(new Set(skipped.parts.map(({ path }) => path)).size).toBe(100);
  });

  it('may have any number of broken providers: the carrier and the events of the others are still found', () => {
    const event = { time_utc: TIME, description: 'a' };
    const providers = [...Array(500_000).fill(0), { provider: { name: 'USPS' }, events: [event] }];
    const trackInfo = { tracking: { providers } };
    expect(parse17TrackInfo('A1', trackInfo, 0)).toMatchObject({
      observations: [{ description: 'a' }],
      skipped: { count: 0 },
    });
    expect(carrierNameFrom17Track(trackInfo)).toBe('USPS');
  });
});
