import { describe, expect, it } from 'vitest';
import { TRACKING_STATUSES } from '../../../../src/server/core/statuses';
import { trackingText } from '../../../../src/server/tracking/text/tracking-text';
import {
  createFacts,
  createShipment,
  SINCE,
  STATUS_PAIRS,
  SUB_STATUSES,
  textOf,
} from '../../../support/tracking-facts';

describe('each state of a parcel', () => {
  it.each([['with', SINCE] as const, ['without', null] as const])(
    'has a text of its own, %s a time',
    (_, since) => {
      expect(STATUS_PAIRS).toHaveLength(30);
      const texts = STATUS_PAIRS.map((pair) => textOf({ ...pair, since }));
      expect(new Set(texts).size).toBe(STATUS_PAIRS.length);
      const lines = STATUS_PAIRS.map(
        (pair) =>
          trackingText(createFacts(createShipment({ ...pair, since }), createShipment())).split('\n')[1],
      );
      expect(new Set(lines).size).toBe(STATUS_PAIRS.length);
    },
  );

  it.each(STATUS_PAIRS)(
    '$subStatus reads as whole sentences in our voice, with and without a time',
    (pair) => {
      for (const since of [SINCE, null]) {
        const text = textOf({ ...pair, since });
        expect(text).toMatch(/\b(we|us)\b/i);
        expect(text).not.toMatch(/[{}|]| {2}| [.,;:]|[.,;:]{2}|\b(on|since) ?[.,;:]/);
        expect(text.match(/New York time/g)?.length ?? 0).toBeLessThanOrEqual(since === null ? 0 : 1);
        for (const sentence of text.split(/(?<=[.!]) /)) expect(sentence).toMatch(/^[A-Z]/);
      }
    },
  );

  it.each(STATUS_PAIRS)('$subStatus has a text without words such as "today", "soon" and "days"', (pair) => {
    expect(textOf(pair)).not.toMatch(
      /\b(today|tomorrow|yesterday|tonight|soon|shortly|ago|now|this week|next week|within|days|hours)\b/i,
    );
  });

  it.each(STATUS_PAIRS)('$subStatus has a text in an order of several parcels too', (pair) => {
    expect(trackingText(createFacts(createShipment(pair), createShipment(pair)))).toMatch(
      /^Your order 3141592653 is made up of 2/,
    );
  });

  it('has the text of its main status if the sub-status is unknown, missing, or belongs to another status', () => {
    for (const status of TRACKING_STATUSES) {
      const [mainStatus, [firstSuffix]] = SUB_STATUSES[status];
      const mainStatusText = textOf({ status, subStatus: null });
      expect(textOf({ status, subStatus: `${mainStatus}_${firstSuffix}` })).toBe(mainStatusText);
      for (const subStatus of ['', '_', `${mainStatus}_Teleported`, 'constructor', status, '已签收']) {
        expect(textOf({ status, subStatus })).toBe(mainStatusText);
      }
      const unrelatedSubStatus = status === 'in_transit' ? 'Exception_Lost' : 'InTransit_PickedUp';
      expect(textOf({ status, subStatus: unrelatedSubStatus })).toBe(mainStatusText);
    }
  });

  it('has its text even if only the last part of the sub-status is given, in lower case with underscores', () => {
    expect(textOf({ subStatus: 'customs_released' })).toBe(
      textOf({ subStatus: 'InTransit_CustomsReleased' }),
    );
  });
});
