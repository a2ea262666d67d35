import { encodeTimeCursor } from '../../../../src/server/core/lists/cursor';
import type { ShipmentRow } from '../../../../src/server/tracking/shipments/list-service';
import { shipmentsStatement } from '../../../../src/server/tracking/shipments/list-sql';
import { shipmentListInput } from '../../../../src/server/tracking/shipments/schema';
import { type ComposedStatement, makeFilters } from './statement';

const SHIPMENT_ROW_COLUMNS: Record<keyof ShipmentRow, string> = {
  tracking_number: 'text',
  status: 'tracking_status',
  sub_status: 'text',
  since: 'text',
  carrier_code: 'text',
  asked_at: 'text',
  registered_at: 'text',
};

const FILTERS = makeFilters<object>([
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
    columns: SHIPMENT_ROW_COLUMNS,
    variants: FILTERS.flatMap((filter) =>
      [null, ['LX1', 'LX2']].map((candidates) => ({
        name: `${JSON.stringify(filter)}${candidates ? ', among candidates' : ''}`,
        ...shipmentsStatement(shipmentListInput.parse(filter), 50, candidates),
      })),
    ),
  },
];
