import type { RouterOutputs } from '../../api/router-types';

type Order = Pick<RouterOutputs['orders']['one'], 'status' | 'tracking_status' | 'sale_date' | 'shipments'>;

const STEPS = ['ordered', 'paid', 'shipped', 'inTransit', 'outForDelivery', 'delivered'] as const;

export interface Step {
  name: (typeof STEPS)[number];
  isDone: boolean;
  /** When the order reached the step; null if unknown. */
  at: string | null;
}

/** The statuses that mean that a shipment is or has been in transit. */
const IN_TRANSIT_OR_LATER = new Set([
  'in_transit',
  'available_for_pickup',
  'out_for_delivery',
  'delivery_failure',
  'delivered',
]);
const OUT_FOR_DELIVERY_OR_LATER = new Set(['out_for_delivery', 'delivery_failure', 'delivered']);

/**
 * Returns the steps of an order, none for a cancelled one. A step is done if the order or one of its shipments has reached that
 * step or a later one; any shipment counts as shipped. `paid` and `delivered` are done only if the order itself is paid or
 * delivered. A step has a time only if the import or a shipment's event gives one.
 */
export function progressOf({ status, sale_date: paidAt, shipments }: Order): Step[] {
  if (status === 'cancelled') return [];
  const events = shipments.flatMap((shipment) => shipment.events);
  const hasAnyStatus = (statuses: ReadonlySet<string>) =>
    events.some((event) => event.status && statuses.has(event.status)) ||
    shipments.some((shipment) => statuses.has(shipment.status));
  const firstTimeOf = (eventStatus: string) =>
    events
      .filter((event) => event.status === eventStatus)
      .map((event) => event.occurred_at)
      .sort()[0] ?? null;
  const isDelivered = status === 'delivered';
  const isShipped = isDelivered || status === 'shipped' || shipments.length > 0;
  const isDoneByStep: Record<Step['name'], boolean> = {
    ordered: true,
    paid: status !== 'pending' || paidAt !== null,
    shipped: isShipped,
    inTransit: isDelivered || hasAnyStatus(IN_TRANSIT_OR_LATER),
    outForDelivery: isDelivered || hasAnyStatus(OUT_FOR_DELIVERY_OR_LATER),
    delivered: isDelivered,
  };
  const stepTimes: Partial<Record<Step['name'], string | null>> = {
    paid: paidAt,
    inTransit: firstTimeOf('in_transit'),
    outForDelivery: firstTimeOf('out_for_delivery'),
    delivered: isDelivered ? firstTimeOf('delivered') : null,
  };
  return STEPS.map((name) => ({ name, isDone: isDoneByStep[name], at: stepTimes[name] ?? null }));
}
