import { encodeTimeCursor } from '../../../../src/server/core/cursor';
import { shipmentsPage } from '../../../../src/server/tracking/shipments/list-sql';
import { shipmentListInput } from '../../../../src/server/tracking/shipments/schema';
import type { ListedShipment } from '../../../../src/server/tracking/shipments/service';
import { type ComposedStatement, filtersOf } from './statement';

const LISTED: Record<keyof ListedShipment, string> = {
  tracking_number: 'text',
  status: 'tracking_status',
  sub_status: 'text',
  since: 'text',
  carrier_code: 'text',
  asked_at: 'text',
  registered_at: 'text',
  order: 'json',
  order_count: 'integer',
  last_event: 'json',
};

const FILTERS = filtersOf<object>([
  { statuses: ['delivered'] },
  { shops: [1] },
  { carrier: 'usps' },
  { since_from: '2026-08-22T00:00:00Z' },
  { since_to: '2026-08-22T00:00:00Z' },
  { cursor: encodeTimeCursor({ at: '2026-08-22T00:00:00.000000Z', id: 'LX1' }) },
]);

export const SHIPMENT_STATEMENTS: ComposedStatement[] = [
  {
    name: 'list of shipments',
    columns: LISTED,
    variants: FILTERS.map((filter) => ({
      name: JSON.stringify(filter),
      ...shipmentsPage(shipmentListInput.parse(filter)),
    })),
  },
];
