import { TRACKING_STATUSES, type TrackingStatus } from '../../src/server/core/statuses';
import {
  type ShipmentFacts,
  type TrackingTextFacts,
  trackingText,
} from '../../src/server/tracking/text/tracking-text';

/** 17TRACK's statuses and the suffixes of their sub-statuses. An empty suffix stands for the status itself. */
export const SUB_STATUSES: Record<TrackingStatus, [string, string[]]> = {
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

/** Every pair of a status and one of its sub-statuses. */
export const STATUS_PAIRS = TRACKING_STATUSES.flatMap((status) => {
  const [mainStatus, suffixes] = SUB_STATUSES[status];
  return suffixes.map((suffix) => ({ status, subStatus: suffix ? `${mainStatus}_${suffix}` : mainStatus }));
});

export const NOW = Date.parse('2026-08-25T12:00:00Z');
export const SINCE = Date.parse('2026-08-22T19:04:30Z');
export const EARLIER_TIME = Date.parse('2026-08-20T04:10:00Z');

export const createShipment = (overrides: Partial<ShipmentFacts> = {}): ShipmentFacts => ({
  trackingNumber: 'LX123456789CN',
  carrier: 'yanwen',
  status: 'in_transit',
  subStatus: null,
  since: SINCE,
  events: [],
  ...overrides,
});
export const createOrder = (status: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled') => ({
  receiptId: '3141592653',
  status,
});
export const createFacts = (...shipments: ShipmentFacts[]): TrackingTextFacts => ({
  order: createOrder('shipped'),
  shipments,
  now: NOW,
});
export const textOf = (overrides: Partial<ShipmentFacts> = {}): string =>
  trackingText(createFacts(createShipment(overrides)));
