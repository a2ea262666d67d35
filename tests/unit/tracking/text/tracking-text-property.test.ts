import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRACKING_STATUSES } from '../../../../src/server/core/statuses';
import { trackingText } from '../../../../src/server/tracking/text/tracking-text';
import { EARLIER_TIME, NOW, SINCE, STATUS_PAIRS } from '../../../support/tracking-facts';

describe('whatever the carrier writes', () => {
  const anyText = fc.oneof(
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
  const anyInstant = fc.option(
    fc.oneof(fc.double(), fc.integer({ min: EARLIER_TIME, max: NOW + 1e9 }), fc.constant(SINCE)),
  );
  const anyShipment = fc.record({
    trackingNumber: fc.oneof(anyText, fc.stringMatching(/^[A-Z0-9]{1,60}$/)),
    carrier: fc.option(anyText),
    status: fc.constantFrom(...TRACKING_STATUSES),
    subStatus: fc.option(fc.oneof(anyText, fc.constantFrom(...STATUS_PAIRS.map((pair) => pair.subStatus)))),
    since: anyInstant,
    events: fc.array(
      fc.record({ occurredAt: anyInstant.map((at) => at ?? SINCE), location: fc.option(anyText) }),
      {
        maxLength: 4,
      },
    ),
  });
  const anyFacts = fc.record({
    order: fc.option(
      fc.record({
        receiptId: anyText,
        status: fc.constantFrom('pending', 'paid', 'shipped', 'delivered', 'cancelled'),
      }),
    ),
    shipments: fc.array(anyShipment, { maxLength: 8 }),
    now: fc.constant(NOW),
  });

  it('the text is Latin, complete, without technical words, and under 1,200 characters', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const text = trackingText(facts);
        expect(text.match(/(?!\p{Script=Latin})\p{L}/u)).toBeNull();
        expect(text.match(/[^\p{Script=Latin}0-9 \n.,:;!()'&#/_-]/u)).toBeNull();
        expect(text).not.toMatch(/null|undefined|NaN|Invalid/);
        expect(text).toMatch(/[^.]\.$/);
        expect(text.length).toBeLessThan(1_200);
      }),
      { numRuns: 3_000 },
    );
  });

  it('the text has no time in the future', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const times = trackingText(facts).match(/[A-Z][a-z]+ \d+, \d{4}, \d+:\d\d [AP]M(?= New York time)/g);
        // New York is four hours behind UTC in summer and five in winter: reading the time as UTC-4 never gives a later instant.
        for (const time of times ?? []) expect(Date.parse(`${time} GMT-0400`)).toBeLessThanOrEqual(NOW);
      }),
    );
  });
});
