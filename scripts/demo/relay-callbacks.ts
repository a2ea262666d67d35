import type { DemoOrder } from './orders';

const HOUR_MS = 3_600_000;

/** Statuses that are not in our lists, as last-mile carriers write them. */
const UNKNOWN_STATUSES = [
  { status: 'HANDED_TO_PARTNER', description: 'Handed to the delivery partner' },
  { status: 'Held at hub', description: 'Held at the hub until the weather clears' },
  { status: '转运中', description: '包裹正在转运' },
] as const;

/** The number of shipments with each of these statuses. */
const SHIPMENTS_PER_STATUS = 4;

/** Returns the callbacks of a relay, in the plain form, with their times of arrival. */
export function createDemoRelayCallbacks(
  orders: readonly DemoOrder[],
  now: number,
): { data: Record<string, unknown>[]; receivedAt: number }[] {
  const shipments = orders
    .flatMap((order) => order.shipments)
    .filter(({ story }) => story.state === 'InTransit')
    .slice(-UNKNOWN_STATUSES.length * SHIPMENTS_PER_STATUS);
  const callbacks = shipments.map(({ number }, index) => {
    const receivedAt = now - (index + 2) * HOUR_MS;
    const entry = UNKNOWN_STATUSES[index % UNKNOWN_STATUSES.length]!;
    return {
      receivedAt,
      data: [{ tracking_number: number, ...entry, time: new Date(receivedAt).toISOString() }] as Record<
        string,
        unknown
      >[],
    };
  });
  // One callback also has an entry with an invalid date, so that its page shows that an entry was left out.
  callbacks.at(-1)?.data.push({
    tracking_number: shipments[0]!.number,
    status: 'in_transit',
    description: 'Arrived at the depot',
    time: `${new Date(now).getUTCFullYear()}-02-30T10:00:00Z`,
  });
  return callbacks;
}
