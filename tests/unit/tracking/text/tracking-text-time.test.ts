import { describe, expect, it } from 'vitest';
import { trackingText } from '../../../../src/server/tracking/text/tracking-text';
import { createFacts, createShipment, NOW, textOf } from '../../../support/tracking-facts';

describe('the time', () => {
  it('is that of New York, in summer and in winter', () => {
    expect(textOf()).toContain(' August 22, 2026, 3:04 PM New York time');
    const winterFacts = { ...createFacts(createShipment({ since: Date.parse('2026-01-15T05:00:00Z') })) };
    expect(trackingText(winterFacts)).toContain('January 15, 2026, 12:00 AM New York time');
  });

  it('is left out if it is in the future, missing or invalid', () => {
    const textWithoutTime = textOf({ since: null });
    expect(textWithoutTime).not.toContain('New York time');
    for (const since of [NOW + 1, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, 9e15]) {
      expect(textOf({ since })).toBe(textWithoutTime);
    }
  });

  it('of a scan in the future is left out, but not its place', () => {
    const text = textOf({ since: null, events: [{ occurredAt: NOW + 1, location: 'Málaga' }] });
    expect(text).toContain('Last place reported: Málaga. ');
    expect(text).not.toContain('New York time');
  });
});
