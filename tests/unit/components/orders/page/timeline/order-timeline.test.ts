import { describe, expect, it } from 'vitest';
import type { RouterOutputs } from '../../../../../../src/components/api/router-types';
import { timelineOf } from '../../../../../../src/components/orders/page/timeline/timeline';
import { findCarrierPage } from '../../../../../../src/components/tracking/carrier-page';

type Order = RouterOutputs['orders']['one'];

const createChange = (at: string, action: string | null, after: Record<string, unknown> | null = null) => ({
  at,
  kind: action ? ('user' as const) : ('created' as const),
  actor: 'Ann',
  import_id: null,
  record: 'order',
  action,
  before: null,
  after,
});

const createEvent = (id: string, occurred_at: string, description: string | null) => ({
  id,
  kind: 'event' as const,
  occurred_at,
  status: 'in_transit' as const,
  sub_status: null,
  provider_status: null,
  description,
  location: null,
  source: '17track',
});

const order = {
  shipments: [
    {
      tracking_number: 'LX1CN',
      carrier_code: 'yanwen',
      status: 'in_transit',
      sub_status: null,
      events: [
        createEvent('2', '2026-09-02T10:00:00Z', 'Departed'),
        createEvent('3', '2026-09-02T10:00:00Z', null),
        createEvent('1', '2026-09-01T10:00:00Z', 'Accepted'),
      ],
    },
  ],
  history: [
    createChange('2026-09-03T09:00:00Z', 'order.send_reply', { sent_text: 'On its way' }),
    createChange('2026-09-02T12:00:00Z', 'order.add_note', { text: 'Blue hair' }),
    createChange('2026-09-02T11:00:00Z', 'order.add_note', { text: 'Removed since' }),
    createChange('2026-08-31T10:00:00Z', null),
  ],
  notes: [{ id: 7, author: 'Ann', own: true, text: 'Blue hair', created_at: '2026-09-02T12:00:00Z' }],
} as unknown as Order;

describe('the timeline of an order', () => {
  it('shows each occurrence once, newest first, under its kind', () => {
    expect(timelineOf(order).map(({ kind, at }) => `${at.slice(5, 13)} ${kind}`)).toEqual([
      '09-03T09 messages',
      '09-02T12 notes',
      '09-02T11 changes',
      '09-02T10 tracking',
      '09-01T10 tracking',
      '08-31T10 changes',
    ]);
  });
});

describe('the link to the carrier’s page about a tracking number', () => {
  it.each([
    ['yanwen', 'https://track.yw56.com.cn/en/querydel?nums=LX%201%26CN'],
    ['royal-mail', 'https://www.royalmail.com/track-your-item#/tracking-results/LX%201%26CN'],
    ['4px', 'https://track.4px.com/#/result/0/LX%201%26CN'],
  ])('contains the number in encoded form for %s', (code, href) => {
    expect(findCarrierPage(code, 'LX 1&CN')?.href).toBe(href);
  });

  it.each([null, '17track', 'constructor', 'some carrier'])('is missing for the carrier code %s', (code) => {
    expect(findCarrierPage(code, 'LX1CN')).toBeNull();
  });
});
