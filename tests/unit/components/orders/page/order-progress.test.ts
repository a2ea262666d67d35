import { describe, expect, it } from 'vitest';
import { progressOf } from '../../../../../src/components/orders/page/progress';

type Order = Parameters<typeof progressOf>[0];
type Shipment = Order['shipments'][number];

const event = (status: Shipment['status'], occurred_at: string) =>
  ({ status, occurred_at }) as Shipment['events'][number];
const shipment = (status: Shipment['status'], ...events: Shipment['events']) =>
  ({ status, events }) as Shipment;
const doneSteps = (order: Partial<Order>) =>
  progressOf({ status: 'paid', tracking_status: null, sale_date: null, shipments: [], ...order })
    .filter(({ isDone }) => isDone)
    .map(({ name, at }) => (at ? `${name} ${at}` : name));

describe('in its progress, an order', () => {
  it.each<[string, Partial<Order>, string[]]>([
    ['that is not paid has completed only the first step', { status: 'pending' }, ['ordered']],
    [
      'that is paid has the time of its payment',
      { sale_date: '2026-08-01T00:00:00Z' },
      ['ordered', 'paid 2026-08-01T00:00:00Z'],
    ],
    [
      'with a shipping label is shipped',
      { shipments: [shipment('info_received')] },
      ['ordered', 'paid', 'shipped'],
    ],
    [
      'in transit has the time of its first scan',
      {
        status: 'shipped',
        shipments: [
          shipment('in_transit', event('in_transit', '2026-08-04'), event('in_transit', '2026-08-03')),
        ],
      },
      ['ordered', 'paid', 'shipped', 'inTransit 2026-08-03'],
    ],
    [
      'with a failed delivery has been out for delivery',
      { status: 'shipped', shipments: [shipment('delivery_failure')] },
      ['ordered', 'paid', 'shipped', 'inTransit', 'outForDelivery'],
    ],
    [
      'with one of two shipments delivered is not delivered',
      {
        status: 'shipped',
        shipments: [shipment('delivered', event('delivered', '2026-08-05')), shipment('not_found')],
      },
      ['ordered', 'paid', 'shipped', 'inTransit', 'outForDelivery'],
    ],
    [
      'that is delivered has no times for steps that were not reported',
      { status: 'delivered', shipments: [shipment('delivered', event('delivered', '2026-08-05'))] },
      ['ordered', 'paid', 'shipped', 'inTransit', 'outForDelivery', 'delivered 2026-08-05'],
    ],
    ['that is cancelled has no completed steps', { status: 'cancelled' }, []],
  ])('%s', (_, order, steps) => {
    expect(doneSteps(order)).toEqual(steps);
  });
});
