import { expect, onTestFinished } from 'vitest';
import type { ServiceError } from '../../../src/server/core/errors/errors';
import { create17TrackClient } from '../../../src/server/tracking/carriers/carrier-17track';
import { type CarrierClient, CarrierError } from '../../../src/server/tracking/carriers/carrier-client';
import {
  type CarrierGate,
  type CarrierGateOptions,
  createCarrierGate,
} from '../../../src/server/tracking/carriers/carrier-gate';
import { createYanwenClient } from '../../../src/server/tracking/carriers/carrier-yanwen';
import { computeStatus } from '../../../src/server/tracking/status';
import { CARRIER_SECRET, type CarrierStandIn, KEY_17TRACK, YANWEN_ACCOUNT } from './carrier-stand-in';

/** Returns a client of the stand-in's 17TRACK, with the valid key by default. */
export function track17ClientOf(
  carrier: CarrierStandIn,
  options: { key?: string; register?: boolean } = {},
): CarrierClient {
  return create17TrackClient({ key: KEY_17TRACK, baseUrl: carrier.track17Url, ...options });
}

/** Returns a client for the stand-in's Yanwen API. */
export function yanwenClientOf(carrier: CarrierStandIn, account = YANWEN_ACCOUNT): CarrierClient {
  return createYanwenClient({ account, baseUrl: carrier.yanwenUrl });
}

export function queryCarrier(client: CarrierClient, ...numbers: string[]) {
  return client.query(numbers, AbortSignal.timeout(5_000));
}

/** Returns the error of a query. Fails if it succeeds. */
export async function failureOf(client: CarrierClient, ...numbers: string[]): Promise<CarrierError> {
  const error = await queryCarrier(client, ...numbers).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(CarrierError);
  return error as CarrierError;
}

/** Opens a gate to the stand-in's 17TRACK. It is closed after the test. */
export function openGate(carrier: CarrierStandIn, options: Partial<CarrierGateOptions> = {}): CarrierGate {
  const gate = createCarrierGate(
    (fetch) => create17TrackClient({ key: KEY_17TRACK, baseUrl: carrier.track17Url, fetch }),
    // Fast enough not to delay tests of other behaviour.
    { timeoutMs: 5_000, retryDelayMs: 20, requestsPerSecond: 1_000, ...options },
  );
  onTestFinished(() => gate.close());
  return gate;
}

/** Returns the error with which the gate refuses a query. Fails if it contains the carrier's secret text. */
export async function refusalOf(gate: CarrierGate, ...numbers: string[]): Promise<ServiceError> {
  const error = await gate.query(numbers).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toMatchObject({ name: 'ServiceError', members: { source: 'carrier' } });
  expect((error as ServiceError).message).not.toContain(CARRIER_SECRET);
  return error as ServiceError;
}

/** Returns the status that results from each answer. */
export const statusesOf = (answers: Awaited<ReturnType<CarrierClient['query']>>) =>
  answers.map(({ observations }) => computeStatus(observations).status);
