import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carrierName } from '../../src/server/tracking/carrier-name';
import { readablePlace } from '../../src/server/tracking/place';
import { TRACKING_STATUSES, type TrackingStatus } from '../../src/server/tracking/status';
import { type ParcelFacts, type TrackingTextFacts, trackingText } from '../../src/server/tracking/text';

/** carriers.md's table of 17TRACK's statuses, `Other` being the status by itself. */
const SUB_STATUSES: Record<TrackingStatus, [string, string[]]> = {
  not_found: ['NotFound', ['Other', 'InvalidCode']],
  info_received: ['InfoReceived', ['']],
  in_transit: [
    'InTransit',
    [
      'Other',
      'PickedUp',
      'Departure',
      'Arrival',
      'CustomsProcessing',
      'CustomsReleased',
      'CustomsRequiringInformation',
    ],
  ],
  expired: ['Expired', ['Other']],
  available_for_pickup: ['AvailableForPickup', ['Other']],
  out_for_delivery: ['OutForDelivery', ['Other']],
  delivered: ['Delivered', ['Other']],
  delivery_failure: ['DeliveryFailure', ['Other', 'NoBody', 'Security', 'Rejected', 'InvalidAddress']],
  exception: [
    'Exception',
    [
      'Other',
      'Returning',
      'Returned',
      'NoBody',
      'Security',
      'Damage',
      'Rejected',
      'Delayed',
      'Lost',
      'Destroyed',
      'Cancel',
    ],
  ],
};
const PAIRS = TRACKING_STATUSES.flatMap((status) => {
  const [main, suffixes] = SUB_STATUSES[status];
  return suffixes.map((suffix) => ({ status, subStatus: suffix ? `${main}_${suffix}` : main }));
});

const NOW = Date.parse('2026-08-25T12:00:00Z');
const SINCE = Date.parse('2026-08-22T19:04:30Z');
const SINCE_TEXT = 'August 22, 2026, 3:04 PM New York time';
const EARLIER = Date.parse('2026-08-20T04:10:00Z');

const parcel = (given: Partial<ParcelFacts> = {}): ParcelFacts => ({
  trackingNumber: 'LX123456789CN',
  carrier: 'yanwen',
  status: 'in_transit',
  subStatus: null,
  since: SINCE,
  events: [],
  ...given,
});
const order = (status: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled') => ({
  receiptId: '3141592653',
  status,
});
const facts = (...parcels: ParcelFacts[]): TrackingTextFacts => ({
  order: order('shipped'),
  parcels,
  now: NOW,
});
const textOf = (given: Partial<ParcelFacts> = {}): string => trackingText(facts(parcel(given)));

describe('what a buyer reads', () => {
  const cases: [string, TrackingTextFacts, string[]][] = [
    [
      'an order that is not paid',
      { order: order('pending'), parcels: [], now: NOW },
      [
        'Thank you for your order 3141592653. It has not been shipped yet, as its payment is still being confirmed.',
        'Once the payment is confirmed, we will prepare your parcel and send you a tracking number when it is on its way.',
      ],
    ],
    [
      'an order that is paid and not shipped',
      { order: order('paid'), parcels: [], now: NOW },
      [
        'Thank you for your order 3141592653. It is paid and has not been shipped yet: we are preparing it.',
        'Once the carrier has your parcel, we will send you a tracking number with which you can follow it.',
      ],
    ],
    [
      'an order that was shipped without a number',
      { order: order('shipped'), parcels: [], now: NOW },
      [
        'We have shipped your order 3141592653. There is no tracking number for it in our records, so we cannot tell you where your parcel is.',
        'If it does not reach you, please write to us, and we will look into it.',
      ],
    ],
    [
      'an order that was canceled',
      { order: order('cancelled'), parcels: [], now: NOW },
      [
        'Your order 3141592653 has been canceled and will not be shipped.',
        'If you did not expect this, or if you have any questions about it, please write to us, and we will gladly help.',
      ],
    ],
    [
      'a parcel that the carrier does not know yet',
      facts(parcel({ status: 'not_found', since: null })),
      [
        'We have registered your order 3141592653 with Yanwen under tracking number LX123456789CN.',
        'The carrier does not show any information about your parcel yet.',
        'That is common until a parcel has been scanned for the first time. We are keeping an eye on it, and you are welcome to write to us at any time.',
      ],
    ],
    [
      'a parcel at customs, with the place of an earlier scan',
      facts(
        parcel({
          subStatus: 'InTransit_CustomsProcessing',
          events: [
            { occurredAt: SINCE, location: null },
            { occurredAt: EARLIER, location: 'LOS ANGELES, CA' },
          ],
        }),
      ),
      [
        'We have sent your order 3141592653 with Yanwen under tracking number LX123456789CN.',
        'Your parcel has been with customs since August 22, 2026, 3:04 PM New York time.',
        'Last place reported: Los Angeles, CA (August 20, 2026, 12:10 AM New York time).',
        'Customs is a normal step for a parcel from abroad, and neither the carrier nor we can speed it up. Once the parcel is released, it continues toward your address.',
      ],
    ],
    [
      'a parcel that nobody was there to receive',
      facts(parcel({ carrier: 'usps', status: 'delivery_failure', subStatus: 'DeliveryFailure_NoBody' })),
      [
        'We have sent your order 3141592653 with USPS under tracking number LX123456789CN.',
        'The carrier tried to deliver your parcel on August 22, 2026, 3:04 PM New York time, but could not reach anyone to receive it.',
        'Please look for a notice from the carrier: it says whether there will be another attempt or where you can pick the parcel up. With the tracking number, you can also ask the carrier directly.',
      ],
    ],
    [
      'a parcel that was delivered',
      facts(parcel({ status: 'delivered', events: [{ occurredAt: SINCE, location: 'BROOKLYN, NY 11201' }] })),
      [
        'We have sent your order 3141592653 with Yanwen under tracking number LX123456789CN.',
        'The carrier delivered your parcel on August 22, 2026, 3:04 PM New York time.',
        'Last place reported: Brooklyn, NY 11201.',
        'We hope that you enjoy your order! If you cannot find the parcel, please look in your mailbox, ask the people you live with and your neighbors, and then write to us: we will help you.',
      ],
    ],
    [
      'a parcel that came back',
      facts(parcel({ status: 'exception', subStatus: 'Exception_Returned', carrier: null })),
      [
        'We have sent your order 3141592653 under tracking number LX123456789CN.',
        'Your parcel was returned to us on August 22, 2026, 3:04 PM New York time.',
        'Please write to us and tell us whether we may send it again and to which address, or whether you would prefer another solution.',
      ],
    ],
    [
      'a parcel of no order of ours',
      { order: null, parcels: [parcel({ status: 'out_for_delivery' })], now: NOW },
      [
        'Here is the latest on your parcel with tracking number LX123456789CN and carrier Yanwen.',
        'Your parcel has been out for delivery since August 22, 2026, 3:04 PM New York time.',
        'The next step is the delivery itself. Please make sure, if you can, that someone is there to receive it; if it does not reach you, please write to us.',
      ],
    ],
    [
      'a parcel of an order that was canceled',
      { order: order('cancelled'), parcels: [parcel()], now: NOW },
      [
        'Your order 3141592653 has been canceled, but a parcel had been registered for it with Yanwen under tracking number LX123456789CN.',
        'Your parcel is on its way to you; the carrier reported this on August 22, 2026, 3:04 PM New York time.',
        'Please write to us with any questions about it, and we will find a solution together.',
      ],
    ],
  ];
  it.each(cases)('%s', (_, given, sentences) => {
    expect(trackingText(given)).toBe(sentences.join(' '));
  });

  it('an order in several parcels, one a line', () => {
    const second = parcel({
      trackingNumber: '9400110200881234567890',
      carrier: 'usps',
      status: 'delivered',
      since: EARLIER,
    });
    const first = parcel({
      subStatus: 'InTransit_Departure',
      events: [{ occurredAt: SINCE, location: 'Shenzhen, CN' }],
    });
    expect(trackingText(facts(first, second)).split('\n')).toEqual([
      'Your order 3141592653 is made up of 2 parcels.',
      'Parcel 1 (Yanwen, tracking number LX123456789CN): left its country or region of origin on August 22, 2026, 3:04 PM New York time. Last place reported: Shenzhen, CN.',
      'Parcel 2 (USPS, tracking number 9400110200881234567890): delivered on August 20, 2026, 12:10 AM New York time.',
      'The parcels travel separately and may arrive on different days. We are keeping an eye on them, and you are welcome to write to us at any time.',
    ]);
  });
});

describe('each state of a parcel', () => {
  it.each([['with', SINCE] as const, ['without', null] as const])(
    'has a text of its own, %s a time',
    (_, since) => {
      expect(PAIRS).toHaveLength(30);
      const texts = PAIRS.map((pair) => textOf({ ...pair, since }));
      expect(new Set(texts).size).toBe(PAIRS.length);
      const lines = PAIRS.map(
        (pair) => trackingText(facts(parcel({ ...pair, since }), parcel())).split('\n')[1],
      );
      expect(new Set(lines).size).toBe(PAIRS.length);
    },
  );

  it.each(PAIRS)('$subStatus reads as whole sentences in our voice, with and without a time', (pair) => {
    for (const since of [SINCE, null]) {
      const text = textOf({ ...pair, since });
      expect(text).toMatch(/\b(we|us)\b/i);
      expect(text).not.toMatch(/[{}|]| {2}| [.,;:]|[.,;:]{2}|\b(on|since) ?[.,;:]/);
      expect(text.match(/New York time/g)?.length ?? 0).toBeLessThanOrEqual(since === null ? 0 : 1);
      for (const start of text.split(/(?<=[.!]) /)) expect(start).toMatch(/^[A-Z]/);
    }
  });

  it.each(PAIRS)('$subStatus stays true when it is pasted later, and promises no day', (pair) => {
    expect(textOf(pair)).not.toMatch(
      /\b(today|tomorrow|yesterday|tonight|soon|shortly|ago|now|this week|next week|within|days|hours)\b/i,
    );
  });

  it.each(PAIRS)('$subStatus is told in an order of several parcels too', (pair) => {
    expect(trackingText(facts(parcel(pair), parcel(pair)))).toMatch(/^Your order 3141592653 is made up of 2/);
  });

  it('is told by its main status where the sub-status is new, missing, or belongs to another status', () => {
    for (const status of TRACKING_STATUSES) {
      const [main, [first]] = SUB_STATUSES[status];
      const plain = textOf({ status, subStatus: null });
      expect(textOf({ status, subStatus: `${main}_${first}` })).toBe(plain);
      for (const subStatus of ['', '_', `${main}_Teleported`, 'constructor', status, '已签收']) {
        expect(textOf({ status, subStatus })).toBe(plain);
      }
      const foreign = status === 'in_transit' ? 'Exception_Lost' : 'InTransit_PickedUp';
      expect(textOf({ status, subStatus: foreign })).toBe(plain);
    }
  });

  it('is found by the end of the sub-status alone, in any case', () => {
    expect(textOf({ subStatus: 'customs_released' })).toBe(
      textOf({ subStatus: 'InTransit_CustomsReleased' }),
    );
  });
});

describe('the place', () => {
  const at = (occurredAt: number, location: string | null) => ({ occurredAt, location });

  it('is that of the newest event that has one, in whatever order events come', () => {
    const events = [at(EARLIER, 'Shenzhen'), at(SINCE, 'Málaga'), at(NOW, ' '), at(EARLIER - 1, 'Hangzhou')];
    const text = textOf({ events });
    expect(text).toContain('Last place reported: Málaga. ');
    expect(textOf({ events: events.toReversed() })).toBe(text);
  });

  it('is left out rather than replaced by an older one where it is in another script', () => {
    expect(textOf({ events: [at(EARLIER, 'Los Angeles, CA'), at(SINCE, '深圳市')] })).toBe(textOf());
  });

  it('of an older scan is not told of a parcel that has been delivered or has come back', () => {
    for (const given of [
      { status: 'delivered' as const },
      { status: 'exception' as const, subStatus: 'Exception_Returned' },
    ]) {
      expect(textOf({ ...given, events: [at(EARLIER, 'Shenzhen')] })).toBe(textOf(given));
    }
  });

  it('is not told of a parcel that has not been scanned', () => {
    for (const status of ['not_found', 'info_received'] as const) {
      expect(textOf({ status, events: [at(SINCE, 'Shenzhen')] })).toBe(textOf({ status }));
    }
  });

  it.each([
    ['LOS ANGELES, CA', 'Los Angeles, CA'],
    ['ISC NEW YORK NY(USPS)', 'ISC New York NY, USPS'],
    ['ST.LOUIS, MO', 'St. Louis, MO'],
    ["O'HARE, IL", "O'Hare, IL"],
    ['MÁLAGA', 'Málaga'],
    ['Łódź', 'Łódź'],
    ['DİYARBAKIR, TR', 'Diyarbakir, TR'],
    ['ＬＯＳ ＡＮＧＥＬＥＳ', 'Los Angeles'],
    ['Jamaica, NY 11430', 'Jamaica, NY 11430'],
    ['Shenzhen\r\nChina', 'Shenzhen, China'],
    ['Shenzhen, SHENZHEN, CN', 'Shenzhen, CN'],
    ['Киев/Kyiv', 'Kyiv'],
    ['深圳, CN', 'China'],
    ['CN', 'China'],
    ['CA', 'CA'],
    ['Hainan', 'Hainan'],
    ['深圳', null],
    ['Shenzhen深圳', null],
    ['Москва', null],
    ['Αθήνα', null],
    ['90210', null],
    ['N/A', null],
    ['null', null],
    ['undefined', null],
    ['NaN', null],
    ['Invalid Date', null],
    ['See https://example.com/track', null],
    ['Your parcel has been handed over to the local carrier, call us', null],
    ['', null],
    [null, null],
  ])('%j reads %j', (location, expected) => {
    expect(readablePlace(location)).toBe(expected);
  });

  it('is at most 60 characters, in whole parts', () => {
    const place = readablePlace(Array.from({ length: 40 }, (_, n) => `Part ${n}`).join(','));
    expect(place).toBe('Part 0, Part 1, Part 2, Part 3, Part 4, Part 5, Part 6');
  });

  it('never ends the sentence twice', () => {
    expect(textOf({ events: [at(SINCE, 'Washington, D.C.')] })).toContain(': Washington, D.C. The parcel');
  });
});

describe('the carrier', () => {
  it.each([
    ['yanwen', 'Yanwen'],
    ['YANWEN', 'Yanwen'],
    ['royal-mail', 'Royal Mail'],
    ['Royal Mail', 'Royal Mail'],
    ['royal_mail', 'Royal Mail'],
    ['usps', 'USPS'],
    ['ups', 'UPS'],
    ['dhl', 'DHL'],
    ['fedex', 'FedEx'],
    ['4px', '4PX'],
    ['yunexpress', 'YunExpress'],
    ['cainiao', 'Cainiao'],
    ['Brick Haulers', 'Brick Haulers'],
    ['constructor', 'constructor'],
    ['17track', null],
    ['17TRACK', null],
    ['190012', null],
    ['燕文物流', null],
    ['null', null],
    ['x'.repeat(41), null],
    ['', null],
    [null, null],
  ])('%j is called %j', (code, expected) => {
    expect(carrierName(code)).toBe(expected);
  });
});

describe('the time', () => {
  it('is told in New York, in summer and in winter', () => {
    expect(textOf()).toContain(` ${SINCE_TEXT}`);
    const winter = { ...facts(parcel({ since: Date.parse('2026-01-15T05:00:00Z') })) };
    expect(trackingText(winter)).toContain('January 15, 2026, 12:00 AM New York time');
  });

  it('is left out where it is yet to come, was never set, or is no time', () => {
    const untold = textOf({ since: null });
    expect(untold).not.toContain('New York time');
    for (const since of [NOW + 1, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, 9e15]) {
      expect(textOf({ since })).toBe(untold);
    }
  });

  it('of a scan that is yet to come is left out, and its place is told', () => {
    const text = textOf({ since: null, events: [{ occurredAt: NOW + 1, location: 'Málaga' }] });
    expect(text).toContain('Last place reported: Málaga. ');
    expect(text).not.toContain('New York time');
  });
});

describe('a receipt id or number that would break a sentence', () => {
  it.each(['订单', 'null', 'a b. Send money to', '', 'x'.repeat(51)])('%j is left out', (text) => {
    const given = { order: { receiptId: text, status: 'shipped' as const }, now: NOW };
    expect(trackingText({ ...given, parcels: [] })).toMatch(/^We have shipped your order\. /);
    expect(trackingText({ ...given, parcels: [parcel({ trackingNumber: text })] })).toMatch(
      /^We have sent your order with Yanwen\. /,
    );
  });
});

describe('an order of very many parcels', () => {
  it('lists as many as there is room for and counts the others', () => {
    const lines = trackingText(facts(...Array.from({ length: 500 }, () => parcel()))).split('\n');
    const listed = lines.filter((line) => line.startsWith('Parcel ')).length;
    expect(listed).toBeGreaterThan(3);
    expect(lines).toContain(`We will gladly tell you about the other ${500 - listed} parcels as well.`);
  });
});

describe('whatever the carrier wrote', () => {
  const wild = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 500 }),
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc
      .array(
        fc.constantFrom(
          ...['null', 'undefined', 'NaN', 'Invalid', 'invalid', 'KNULL', 'BUNDEFINED', '深圳', 'Москва', 'İ'],
          ...[
            'LOS',
            'ANGELES',
            'é',
            ',',
            ' ',
            '.',
            '$&',
            '{',
            '}',
            '|',
            '\n',
            '\u202E',
            '\uD83D',
            "'",
            'N/A',
          ],
        ),
        { maxLength: 12 },
      )
      .map((words) => words.join('')),
  );
  const instant = fc.option(
    fc.oneof(fc.double(), fc.integer({ min: EARLIER, max: NOW + 1e9 }), fc.constant(SINCE)),
  );
  const anyParcel = fc.record({
    trackingNumber: fc.oneof(wild, fc.stringMatching(/^[A-Z0-9]{1,60}$/)),
    carrier: fc.option(wild),
    status: fc.constantFrom(...TRACKING_STATUSES),
    subStatus: fc.option(fc.oneof(wild, fc.constantFrom(...PAIRS.map((pair) => pair.subStatus)))),
    since: instant,
    events: fc.array(fc.record({ occurredAt: instant.map((at) => at ?? SINCE), location: fc.option(wild) }), {
      maxLength: 4,
    }),
  });
  const anyFacts = fc.record({
    order: fc.option(
      fc.record({
        receiptId: wild,
        status: fc.constantFrom('pending', 'paid', 'shipped', 'delivered', 'cancelled'),
      }),
    ),
    parcels: fc.array(anyParcel, { maxLength: 8 }),
    now: fc.constant(NOW),
  });

  it('the text is Latin, whole, without words of programs, and under 1,200 characters', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const text = trackingText(given);
        expect(text.match(/(?!\p{Script=Latin})\p{L}/u)).toBeNull();
        expect(text.match(/[^\p{Script=Latin}0-9 \n.,:;!()'&#/_-]/u)).toBeNull();
        expect(text).not.toMatch(/null|undefined|NaN|Invalid/);
        expect(text).toMatch(/[^.]\.$/);
        expect(text.length).toBeLessThan(1_200);
      }),
      { numRuns: 3_000 },
    );
  });

  it('no time that it tells is yet to come', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const told = trackingText(given).match(/[A-Z][a-z]+ \d+, \d{4}, \d+:\d\d [AP]M(?= New York time)/g);
        // New York's summer is four hours behind, its winter five: a reading in UTC-4 is never the later one.
        for (const time of told ?? []) expect(Date.parse(`${time} GMT-0400`)).toBeLessThanOrEqual(NOW);
      }),
    );
  });
});
