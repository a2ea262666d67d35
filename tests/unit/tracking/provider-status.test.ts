import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRACKING_STATUSES } from '../../../src/server/core/statuses';
import {
  readProviderStatus,
  readStage,
  readSubStatus,
  statusOfSubStatus,
} from '../../../src/server/tracking/status';

describe("17TRACK's statuses", () => {
  it.each([
    ['NotFound', 'not_found'],
    ['InfoReceived', 'info_received'],
    ['InTransit', 'in_transit'],
    ['Expired', 'expired'],
    ['AvailableForPickup', 'available_for_pickup'],
    ['OutForDelivery', 'out_for_delivery'],
    ['DeliveryFailure', 'delivery_failure'],
    ['Delivered', 'delivered'],
    ['Exception', 'exception'],
  ])('%s is our %s, in upper or lower case', (word, status) => {
    for (const spelling of [word, word.toUpperCase(), ` ${word.toLowerCase()} `, status]) {
      expect(readProviderStatus(spelling)).toBe(status);
    }
    expect(statusOfSubStatus(`${word}_Anything_New`)).toBe(status);
  });

  it('do not include any other word, not even the name of a property that every object has', () => {
    const words = [
      '',
      ' ',
      'Teleported',
      'in transit',
      'constructor',
      '__proto__',
      'toString',
      null,
      undefined,
    ];
    for (const word of words) {
      expect(readProviderStatus(word)).toBeNull();
      expect(statusOfSubStatus(word)).toBeNull();
      expect(readStage(word)).toBeNull();
    }
    fc.assert(
      fc.property(fc.string(), (word) => {
        const status = readProviderStatus(word);
        expect(status === null || TRACKING_STATUSES.includes(status)).toBe(true);
      }),
    );
  });

  it('are the same for a stage and for its sub-status', () => {
    for (const stage of ['InfoReceived', 'PickedUp', 'Departure', 'Arrival', 'OutForDelivery', 'Returning']) {
      const { status, subStatus } = readStage(stage)!;
      expect(statusOfSubStatus(subStatus)).toBe(status);
    }
    expect(readStage('Returned')).toEqual({ status: 'exception', subStatus: 'Exception_Returned' });
  });
});

describe('a sub-status', () => {
  it.each([
    ['in_transit', 'InTransit_PickedUp', 'InTransit_PickedUp'],
    ['in_transit', 'intransit_pickedup', 'InTransit_PickedUp'],
    ['in_transit', 'picked_up', 'InTransit_PickedUp'],
    ['in_transit', 'in_transit_picked_up', 'InTransit_PickedUp'],
    ['delivery_failure', 'rejected', 'DeliveryFailure_Rejected'],
    ['exception', 'rejected', 'Exception_Rejected'],
    ['info_received', 'inforeceived', 'InfoReceived'],
    ['in_transit', 'InTransit_TransportArrived', 'InTransit_TransportArrived'],
    ['in_transit', 'Sorting', 'Sorting'],
    ['delivered', 'Exception_Returned', null],
  ] as const)('of %s, %s, is read as %s', (status, subStatus, expected) => {
    expect(readSubStatus(status, subStatus)).toBe(expected);
  });
});
