// Carriers' reports on shipments, in their own wire formats (docs/tracking.md).

/** Returns the `track_info` that 17TRACK's API returns for a shipment with these events, newest first. */
export function trackInfoOf(
  latestStatus: { status: string; sub_status: string },
  events: Record<string, unknown>[],
  carrier = 'USPS',
): Record<string, unknown> {
  return {
    shipping_info: { shipper_address: {}, recipient_address: {} },
    latest_status: { ...latestStatus, sub_status_descr: null },
    latest_event: events[0] ?? null,
    time_metrics: { days_of_transit: 3, estimated_delivery_date: { source: null, from: null, to: null } },
    milestone: [{ key_stage: 'InfoReceived', time_iso: null, time_utc: null }],
    misc_info: { risk_factor: 0 },
    tracking: {
      providers_hash: 12345,
      providers: [
        {
          provider: { key: 21051, name: carrier, alias: carrier, tel: null, homepage: null, country: 'US' },
          service_type: null,
          latest_sync_status: 'Success',
          latest_sync_time: '2026-11-20T12:00:00Z',
          events_hash: 678,
          events,
        },
      ],
    },
  };
}

export const IN_TRANSIT = trackInfoOf({ status: 'InTransit', sub_status: 'InTransit_PickedUp' }, [
  {
    time_iso: '2026-11-18T09:30:00-05:00',
    time_utc: '2026-11-18T14:30:00Z',
    description: 'Picked up',
    location: 'New York, NY',
    stage: 'PickedUp',
    sub_status: 'InTransit_PickedUp',
    address: { country: 'US', state: 'NY', city: 'New York', postal_code: null, coordinates: {} },
  },
]);

export const NOT_FOUND = trackInfoOf({ status: 'NotFound', sub_status: 'NotFound_Other' }, []);

export const DELIVERED = trackInfoOf({ status: 'Delivered', sub_status: 'Delivered_Other' }, [
  {
    time_iso: '2026-11-19T12:00:00Z',
    time_utc: '2026-11-19T12:00:00Z',
    description: 'Delivered',
    location: null,
    stage: 'Delivered',
    sub_status: 'Delivered_Other',
    address: { country: 'US', state: 'NY', city: 'Albany' },
  },
]);

/**
 * Returns the row from the vendor's documentation (docs/tracking.md), whose times are unsorted and in different zones, with
 * this number and these members.
 */
export function yanwenRow(number: string, members: Record<string, unknown> = {}): Record<string, unknown> {
  const checkpoint = (time_stamp: string, time_zone: string, tracking_status: string, message: string) => ({
    ...{ time_stamp, time_zone, tracking_status, message, location: '' },
    ...{ is_last_mile_checkpoint: 0, extraProperties: null },
  });
  return {
    tracking_number: number,
    waybill_number: number,
    exchange_number: '00340434511539026190',
    checkpoints: [
      checkpoint('2023-04-07T09:03:09', '+08', 'OR10', 'Order processed by shipper'),
      checkpoint('2023-04-10T09:32:00', '+08', 'LH20', 'Port of departure - Departure'),
      checkpoint('2023-04-26T20:16:02', '+08', 'LM54', 'Return shipment inbound confirmation'),
      checkpoint('2023-04-26T09:52:37', '+02', 'LM40', 'Delivered'),
    ],
    tracking_status: 'LM54',
    tracking_status_waybill: { level1: '8', level2: '7', level3: 'LM54' },
    last_mile_tracking_expected: true,
    origin_country: 'CN',
    destination_country: 'DE',
    ...members,
  };
}
