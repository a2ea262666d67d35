import { describe, expect, it } from 'vitest';
import { progressOf } from '../../../../../src/components/orders/page/progress';

type Order = Parameters<typeof progressOf>[0];
type Shipment = Order['shipments'][number];

const createEvent = (status: Shipment['status'], occurred_at: string) =>
  ({ status, occurred_at }) as Shipment['events'][number];
const createShipment = (status: Shipment['status'], ...events: Shipment['events']) =>
  ({ status, events }) as Shipment;
const doneStepsOf = (order: Partial<Order>) =>
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
      { shipments: [createShipment('info_received')] },
      ['ordered', 'paid', 'shipped'],
    ],
    [
      'in transit has the time of its first scan',
      {
        status: 'shipped',
        shipments: [
          createShipment(
            'in_transit',
            createEvent('in_transit', '2026-08-04'),
            createEvent('in_transit', '2026-08-03'),
          ),
        ],
      },
      ['ordered', 'paid', 'shipped', 'inTransit 2026-08-03'],
    ],
    [
      'with a failed delivery has been out for delivery',
      { status: 'shipped', shipments: [createShipment('delivery_failure')] },
      ['ordered', 'paid', 'shipped', 'inTransit', 'outForDelivery'],
    ],
    [
      'with one of two shipments delivered is not delivered',
      {
        status: 'shipped',
        shipments: [
          createShipment('delivered', createEvent('delivered', '2026-08-05')),
          createShipment('not_found'),
        ],
      },
      ['ordered', 'paid', 'shipped', 'inTransit', 'outForDelivery'],
    ],
    [
      'that is delivered has no times for steps that were not reported',
      {
        status: 'delivered',
        shipments: [createShipment('delivered', createEvent('delivered', '2026-08-05'))],
      },
      ['ordered', 'paid', 'shipped', 'inTransit', 'outForDelivery', 'delivered 2026-08-05'],
    ],
    ['that is cancelled has no completed steps', { status: 'cancelled' }, []],
  ])('%s', (_, order, steps) => {
    expect(doneStepsOf(order)).toEqual(steps);
  });
});
