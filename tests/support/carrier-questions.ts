import { expect } from 'vitest';
import type { ServiceError } from '../../src/server/core/errors';
import { create17TrackClient } from '../../src/server/tracking/carriers/carrier-17track';
import { type CarrierClient, CarrierError } from '../../src/server/tracking/carriers/carrier-client';
import {
  type CarrierGate,
  type CarrierGateOptions,
  createCarrierGate,
} from '../../src/server/tracking/carriers/carrier-gate';
import { createYanwenClient } from '../../src/server/tracking/carriers/carrier-yanwen';
import { foldStatus } from '../../src/server/tracking/status';
import { CARRIER_SECRET, type CarrierStandIn, KEY_17TRACK, YANWEN_ACCOUNT } from './carrier-stand-in';

/** A client of the stand-in's 17TRACK, with its good key unless another is given. */
export function track17At(
  carrier: CarrierStandIn,
  members: { key?: string; register?: boolean } = {},
): CarrierClient {
  return create17TrackClient({ key: KEY_17TRACK, baseUrl: carrier.url17Track, ...members });
}

/** A client of the stand-in's Yanwen. */
export function yanwenAt(carrier: CarrierStandIn, account = YANWEN_ACCOUNT): CarrierClient {
  return createYanwenClient({ account, baseUrl: carrier.urlYanwen });
}

export function ask(client: CarrierClient, ...numbers: string[]) {
  return client.query(numbers, AbortSignal.timeout(5_000));
}

/** What a question fails with. */
export async function failureOf(client: CarrierClient, ...numbers: string[]): Promise<CarrierError> {
  const error = await ask(client, ...numbers).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(CarrierError);
  return error as CarrierError;
}

/** The gate before 17TRACK; close it. */
export function gateTo(carrier: CarrierStandIn, options: Partial<CarrierGateOptions> = {}): CarrierGate {
  return createCarrierGate(
    (fetch) => create17TrackClient({ key: KEY_17TRACK, baseUrl: carrier.url17Track, fetch }),
    // A pace that does not hold up tests of other things.
    { timeoutMs: 5_000, retryDelayMs: 20, requestsPerSecond: 1_000, ...options },
  );
}

/** What the gate refuses a question with, which never holds what the carrier keeps secret. */
export async function refusalOf(gate: CarrierGate, ...numbers: string[]): Promise<ServiceError> {
  const error = await gate.query(numbers).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toMatchObject({ name: 'ServiceError', members: { source: 'carrier' } });
  expect((error as ServiceError).message).not.toContain(CARRIER_SECRET);
  return error as ServiceError;
}

/** The status that each answer adds up to. */
export const statusesOf = (answers: Awaited<ReturnType<CarrierClient['query']>>) =>
  answers.map(({ observations }) => foldStatus(observations).status);
