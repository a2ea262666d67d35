import { DAY_MS } from '../../src/server/core/days';
import { atLeast, type Figure, listValues } from '../report';
import type { CleanupSteps, Service } from '../service';
import { median } from '../statistics';
import { fireRequests, type RequestKind, ROUND_COUNT, startBareServer } from './fire';
import { makeOperationData, type OperationData } from './operation-data';

/** How long both sides are warmed up, so that compiling code is not measured. */
const WARM_UP_SECONDS = 1;
/** The minimum throughput, as a share of plain Node's requests per second. */
const MIN_SHARE = 0.6;
const SHOP_COUNT = 50;
/** The time of the first event: after the events that the shipments already have, and so early that no run reaches the future. */
const FIRST_EVENT_AT = Date.now() - DAY_MS;

const dayOf = (nth: number) => new Date(Date.UTC(2000, 0, 1) + nth * DAY_MS).toISOString().slice(0, 10);

/** Returns the `nth` body: one day of a shop, as a shop's tool sends it, with all fields and one unknown member. */
function createStatistic(nth: number): object {
  return {
    shop_id: `bench-shop-${nth % SHOP_COUNT}`,
    date: dayOf(Math.floor(nth / SHOP_COUNT)),
    ad_impressions: 4_000 + (nth % 900),
    ad_clicks: 120 + (nth % 80),
    ad_click_rate: 2.85,
    ad_spend: 31.4 + (nth % 7),
    ad_orders: 4,
    ad_revenue: 88.5,
    total_orders: 12 + (nth % 30),
    total_revenue: 240.75 + (nth % 90),
    total_views: 2_300 + (nth % 500),
    total_visits: 900,
    conversion_rate: 1.3333,
    ad_revenue_ratio: 36.7,
    returning_visitors: 210,
  };
}

const STATUSES = ['in_transit', 'out_for_delivery', 'delivery_failure', 'out_for_delivery'];

/** Returns the `nth` event. Shipments take turns, each event is later than the one before, and some change a tracking status. */
function createEvent(nth: number, { trackingNumbers }: OperationData) {
  const round = Math.floor(nth / trackingNumbers.length);
  return {
    number: trackingNumbers[nth % trackingNumbers.length]!,
    status: STATUSES[round % STATUSES.length]!,
    time: new Date(FIRST_EVENT_AT + nth * 100).toISOString(),
  };
}

function createPlainCallback(nth: number, data: OperationData): object {
  const { number, status, time } = createEvent(nth, data);
  return {
    event: 'tracking',
    data: {
      tracking_number: number,
      status,
      time,
      description: 'Arrived at the depot',
      location: 'Reno, NV',
    },
  };
}

/** Returns the `nth` event as 17TRACK's webhook sends it, with members that the service does not read. */
function create17TrackCallback(nth: number, data: OperationData): object {
  const { number, status, time } = createEvent(nth, data);
  const statusName = status.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
  const event = {
    time_iso: time,
    time_utc: time,
    description: 'Arrived at the depot',
    location: 'Reno, NV',
    stage: null,
    sub_status: `${statusName}_Other`,
    address: { country: 'US', state: 'NV', city: 'Reno', street: null, postal_code: null },
  };
  const provider = { key: 190_094, name: 'Yanwen', alias: 'Yanwen', country: 'CN' };
  return {
    event: 'TRACKING_UPDATED',
    data: {
      number,
      carrier: 190_094,
      track_info: {
        shipping_info: { shipper_address: { country: 'CN' }, recipient_address: { country: 'US' } },
        latest_status: { status: statusName, sub_status: `${statusName}_Other`, sub_status_descr: null },
        latest_event: event,
        time_metrics: { days_of_transit: 8, days_after_order: 9 },
        tracking: { providers: [{ provider, service_type: null, events: [event] }] },
      },
    },
  };
}

function listOperations(service: Service, data: OperationData): RequestKind[] {
  const headers = { 'X-Api-Key': service.key, 'Content-Type': 'application/json' };
  let requestCount = 0;
  const createOptionsWithBodies = (makeBody: (nth: number) => object): RequestKind['options'] => ({
    headers,
    requests: [
      { setupRequest: (request) => ({ ...request, body: JSON.stringify(makeBody(requestCount++)) }) },
    ],
  });
  const textPath = '/api/v1/tracking-text';
  const makeTextPath = () => `${textPath}?order_id=${data.orderIds[requestCount++ % data.orderIds.length]}`;
  const getRequest = {
    method: 'GET',
    status: 200,
    options: { headers: { 'X-Api-Key': service.key } },
  } as const;
  const postRequest = { method: 'POST', status: 200 } as const;
  const tracksRequest = { ...postRequest, path: '/api/v1/tracks' };
  const statisticsRequest = { ...postRequest, path: '/api/shop-statistics' };
  return [
    { name: 'Codes of a category, 100', ...getRequest, path: '/api/legos-head' },
    { name: 'All codes, 500', ...getRequest, path: '/api/legos-sku' },
    {
      name: 'Statistics, a new row each time',
      ...statisticsRequest,
      options: createOptionsWithBodies(createStatistic),
    },
    {
      name: 'Statistics, the same row each time',
      ...statisticsRequest,
      options: { headers, body: JSON.stringify(createStatistic(0)) },
    },
    {
      name: 'Callback of one event',
      ...tracksRequest,
      options: createOptionsWithBodies((nth) => createPlainCallback(nth, data)),
    },
    {
      name: 'Callback of one event, from 17TRACK',
      ...tracksRequest,
      options: createOptionsWithBodies((nth) => create17TrackCallback(nth, data)),
    },
    {
      name: 'Tracking text of six events',
      ...getRequest,
      path: textPath,
      options: {
        ...getRequest.options,
        requests: [{ setupRequest: (request) => ({ ...request, path: makeTextPath() }) }],
      },
    },
  ];
}

/**
 * Measures the requests per second of operations that do little more than run statements, as a share of what plain Node achieves
 * with the same statements. The difference is the cost of checks, limits and logs.
 */
export async function measureOperations(service: Service, cleanupSteps: CleanupSteps): Promise<Figure[]> {
  const barePort = await startBareServer(service, cleanupSteps);
  const data = await makeOperationData(service.db, await service.createShop());
  const figures: Figure[] = [];
  for (const operation of listOperations(service, data)) {
    const { name } = operation;
    await service.prepareMeasurement();
    for (const port of [barePort, service.port]) await fireRequests(port, operation, WARM_UP_SECONDS);
    const bareRates: number[] = [];
    const serviceRates: number[] = [];
    for (let round = 0; round < ROUND_COUNT; round++) {
      bareRates.push(await fireRequests(barePort, operation));
      serviceRates.push(await fireRequests(service.port, operation));
    }
    // Compares pair by pair: the two sides of a pair are measured in succession, and the machine's speed changes more slowly.
    const shares = serviceRates.map((rate, round) => rate / bareRates[round]!);
    figures.push(
      { name, value: median(serviceRates), unit: '/s', note: listValues(serviceRates) },
      { name: `${name}, bare`, value: median(bareRates), unit: '/s', note: listValues(bareRates) },
      {
        ...atLeast(`${name}: ours / bare`, median(shares), 'x', MIN_SHARE),
        note: shares.map((share) => share.toFixed(2)).join(', '),
      },
    );
  }
  return figures;
}
