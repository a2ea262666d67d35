import { describe, expect, it } from 'vitest';
import { type TrackingTextFacts, trackingText } from '../../../../src/server/tracking/text/tracking-text';
import {
  createFacts,
  createOrder,
  createShipment,
  EARLIER_TIME,
  NOW,
  SINCE,
} from '../../../support/tracking-facts';

describe('the tracking text', () => {
  const cases: [string, TrackingTextFacts, string[]][] = [
    [
      'an order that is not paid',
      { order: createOrder('pending'), shipments: [], now: NOW },
      [
        'Thank you for your order 3141592653. It has not been shipped yet, as its payment is still being confirmed.',
        'Once the payment is confirmed, we will prepare your parcel and send you a tracking number when it is on its way.',
      ],
    ],
    [
      'an order that is paid and not shipped',
      { order: createOrder('paid'), shipments: [], now: NOW },
      [
        'Thank you for your order 3141592653. It is paid and has not been shipped yet: we are preparing it.',
        'Once the carrier has your parcel, we will send you a tracking number with which you can follow it.',
      ],
    ],
    [
      'an order that was shipped without a number',
      { order: createOrder('shipped'), shipments: [], now: NOW },
      [
        'We have shipped your order 3141592653. There is no tracking number for it in our records, so we cannot tell you where your parcel is.',
        'If it does not reach you, please write to us, and we will look into it.',
      ],
    ],
    [
      'an order that was canceled',
      { order: createOrder('cancelled'), shipments: [], now: NOW },
      [
        'Your order 3141592653 has been canceled and will not be shipped.',
        'If you did not expect this, or if you have any questions about it, please write to us, and we will gladly help.',
      ],
    ],
    [
      'a parcel that the carrier does not know yet',
      createFacts(createShipment({ status: 'not_found', since: null })),
      [
        'We have registered your order 3141592653 with Yanwen under tracking number LX123456789CN.',
        'The carrier does not show any information about your parcel yet.',
        'That is common until a parcel has been scanned for the first time. We are keeping an eye on it, and you are welcome to write to us at any time.',
      ],
    ],
    [
      'a parcel at customs, with the place of an earlier scan',
      createFacts(
        createShipment({
          subStatus: 'InTransit_CustomsProcessing',
          events: [
            { occurredAt: SINCE, location: null },
            { occurredAt: EARLIER_TIME, location: 'LOS ANGELES, CA' },
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
      createFacts(
        createShipment({ carrier: 'usps', status: 'delivery_failure', subStatus: 'DeliveryFailure_NoBody' }),
      ),
      [
        'We have sent your order 3141592653 with USPS under tracking number LX123456789CN.',
        'The carrier tried to deliver your parcel on August 22, 2026, 3:04 PM New York time, but could not reach anyone to receive it.',
        'Please look for a notice from the carrier: it says whether there will be another attempt or where you can pick the parcel up. With the tracking number, you can also ask the carrier directly.',
      ],
    ],
    [
      'a parcel that was delivered',
      createFacts(
        createShipment({
          status: 'delivered',
          events: [{ occurredAt: SINCE, location: 'BROOKLYN, NY 11201' }],
        }),
      ),
      [
        'We have sent your order 3141592653 with Yanwen under tracking number LX123456789CN.',
        'The carrier delivered your parcel on August 22, 2026, 3:04 PM New York time.',
        'Last place reported: Brooklyn, NY 11201.',
        'We hope that you enjoy your order! If you cannot find the parcel, please look in your mailbox, ask the people you live with and your neighbors, and then write to us: we will help you.',
      ],
    ],
    [
      'a parcel that came back',
      createFacts(createShipment({ status: 'exception', subStatus: 'Exception_Returned', carrier: null })),
      [
        'We have sent your order 3141592653 under tracking number LX123456789CN.',
        'Your parcel was returned to us on August 22, 2026, 3:04 PM New York time.',
        'Please write to us and tell us whether we may send it again and to which address, or whether you would prefer another solution.',
      ],
    ],
    [
      'a parcel that belongs to none of our orders',
      { order: null, shipments: [createShipment({ status: 'out_for_delivery' })], now: NOW },
      [
        'Here is the latest on your parcel with tracking number LX123456789CN and carrier Yanwen.',
        'Your parcel has been out for delivery since August 22, 2026, 3:04 PM New York time.',
        'The next step is the delivery itself. Please make sure, if you can, that someone is there to receive it; if it does not reach you, please write to us.',
      ],
    ],
    [
      'a parcel of an order that was canceled',
      { order: createOrder('cancelled'), shipments: [createShipment()], now: NOW },
      [
        'Your order 3141592653 has been canceled, but a parcel had been registered for it with Yanwen under tracking number LX123456789CN.',
        'Your parcel is on its way to you; the carrier reported this on August 22, 2026, 3:04 PM New York time.',
        'Please write to us with any questions about it, and we will find a solution together.',
      ],
    ],
  ];
  it.each(cases)('describes %s', (_, input, sentences) => {
    expect(trackingText(input)).toBe(sentences.join(' '));
  });

  it('describes an order in several parcels, one per line', () => {
    const secondShipment = createShipment({
      trackingNumber: '9400110200881234567890',
      carrier: 'usps',
      status: 'delivered',
      since: EARLIER_TIME,
    });
    const firstShipment = createShipment({
      subStatus: 'InTransit_Departure',
      events: [{ occurredAt: SINCE, location: 'Shenzhen, CN' }],
    });
    expect(trackingText(createFacts(firstShipment, secondShipment)).split('\n')).toEqual([
      'Your order 3141592653 is made up of 2 parcels.',
      'Parcel 1 (Yanwen, tracking number LX123456789CN): left its country or region of origin on August 22, 2026, 3:04 PM New York time. Last place reported: Shenzhen, CN.',
      'Parcel 2 (USPS, tracking number 9400110200881234567890): delivered on August 20, 2026, 12:10 AM New York time.',
      'The parcels travel separately and may arrive on different days. We are keeping an eye on them, and you are welcome to write to us at any time.',
    ]);
  });
});

describe('an order number or tracking number that would break a sentence', () => {
  it.each(['订单', 'null', 'a b. Send money to', '', 'x'.repeat(51)])('%j is left out', (text) => {
    const input = { order: { receiptId: text, status: 'shipped' as const }, now: NOW };
    expect(trackingText({ ...input, shipments: [] })).toMatch(/^We have shipped your order\. /);
    expect(trackingText({ ...input, shipments: [createShipment({ trackingNumber: text })] })).toMatch(
      /^We have sent your order with Yanwen\. /,
    );
  });
});

describe('the tracking text of an order with very many parcels', () => {
  it('lists as many as fit and counts the rest', () => {
    const lines = trackingText(createFacts(...Array.from({ length: 500 }, () => createShipment()))).split(
      '\n',
    );
    const listedCount = lines.filter((line) => line.startsWith('Parcel ')).length;
    expect(listedCount).toBeGreaterThan(3);
    expect(lines).toContain(`We will gladly tell you about the other ${500 - listedCount} parcels as well.`);
  });
});
