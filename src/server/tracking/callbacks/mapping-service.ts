import type pg from 'pg';
import type { z } from 'zod';
import { type Actor, writeAuditEntries } from '../../audit/service';
import { notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { TrackingStatus } from '../../core/statuses';
import { withIsoInstants } from '../../core/time';
import type { Database } from '../../db/client';
import { takeLock } from '../../db/locks/advisory-locks';
import { inRetriedTransaction, inTransaction } from '../../db/transaction';
import { splitIntoBatches } from '../carriers/carrier-http';
import { isRecognisedSnapshot, type StoredObservation } from '../carriers/provider-report';
import { lockShipments, recomputeStatuses, type ShipmentChange } from '../shipment-status-service';
import * as sql from './mappings.queries';
import type { mappingChangeOutput, mappingsOutput, unmappedStatusesOutput } from './schema';

/** What a mapping belongs to: a status as a provider sent it. Case and surrounding spaces are ignored. */
export interface MappingKey {
  source: string;
  providerStatus: string;
}

type MappingResult = z.output<typeof mappingChangeOutput>;

/** The maximum number of unmapped statuses, or of changed shipments, in one response. */
const MAX_LISTED_ENTRIES = 500;
/** The maximum number of shipments updated per transaction, small enough that callbacks about them do not wait long. */
const BATCH_SIZE = 500;

/** Returns the providers' statuses that have no meaning yet, most frequent first, each with an example. */
export async function listUnmappedStatuses(db: Database): Promise<z.output<typeof unmappedStatusesOutput>> {
  const rows = await sql.listUnmappedStatuses.run(db.pool, { limit: MAX_LISTED_ENTRIES });
  return {
    statuses: rows
      .map(withIsoInstants)
      .map(({ tracking_number, description, occurred_at, record_id, ...status }) => ({
        ...status,
        example: { tracking_number, description, occurred_at, record_id },
      })),
  };
}

/** Returns the meanings that users have assigned to providers' statuses. */
export async function listMappings(db: Database): Promise<z.output<typeof mappingsOutput>> {
  const mappings = await sql.listMappings.run(db.pool);
  return { mappings: mappings.map(withIsoInstants) };
}

/** Returns a provider status's events that do not have its current meaning, by tracking number. */
async function findEventsToUpdate(db: Database, key: MappingKey): Promise<Map<string, StoredObservation[]>> {
  const eventsByNumber = new Map<string, StoredObservation[]>();
  for (const row of await sql.findEventsToUpdate.run(db.pool, { ...key })) {
    const { tracking_number: trackingNumber, identity, kind, status } = row;
    const event = {
      trackingNumber,
      identity,
      kind,
      status,
      occurredAt: row.occurred_at,
      providerStatus: row.provider_status,
    };
    if (isRecognisedSnapshot(event)) continue;
    const numberEvents = eventsByNumber.get(trackingNumber);
    if (numberEvents) numberEvents.push(event);
    else eventsByNumber.set(trackingNumber, [event]);
  }
  return eventsByNumber;
}

/**
 * Applies a provider status's mapping to its stored events, and updates their shipments and orders. An order may move back to an
 * earlier status only if one of the updated events of its shipment already had a status.
 */
async function applyMapping(db: Database, key: MappingKey): Promise<MappingResult> {
  const numbersWithEvents = [...(await findEventsToUpdate(db, key))];
  const changes: ShipmentChange[] = [];
  let changedEventCount = 0;
  let updatedOrderCount = 0;
  const updateBatch = async (batch: typeof numbersWithEvents, mayMoveBack: boolean) => {
    const trackingNumbers = batch.map(([trackingNumber]) => trackingNumber);
    const identities = batch.flatMap(([, events]) => events.map(({ identity }) => identity));
    await inRetriedTransaction(db.pool, async (client) => {
      const lockedShipments = await lockShipments(client, trackingNumbers);
      const [countRow] = await sql.applyMapping.run(client, { ...key, trackingNumbers, identities });
      const result = await recomputeStatuses(client, lockedShipments, { mayMoveBack });
      changedEventCount += countRow!.event_count;
      updatedOrderCount += result.changedOrderIds.size;
      changes.push(...result.changes);
    });
  };
  for (const mayMoveBack of [false, true]) {
    const group = numbersWithEvents.filter(
      ([, events]) => events.some(({ status }) => status !== null) === mayMoveBack,
    );
    for (const batch of splitIntoBatches(group, BATCH_SIZE)) await updateBatch(batch, mayMoveBack);
  }
  return {
    changed_events: changedEventCount,
    updated_orders: updatedOrderCount,
    changes: changes
      .slice(0, MAX_LISTED_ENTRIES)
      .map(({ trackingNumber, before, after }) => ({ tracking_number: trackingNumber, before, after })),
    change_count: changes.length,
  };
}

/**
 * Runs `change` in a transaction under a lock. Waits for merges in progress, which may have read the old mappings; later merges
 * wait for this change.
 */
async function changeMappings<T>(db: Database, change: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(db.pool, async (client) => {
    await takeLock(client, 'statusMappings');
    return change(client);
  });
}

/**
 * Sets the meaning of a provider status for stored events and for all later callbacks and carrier responses, in every process.
 * A new meaning replaces the old one. If the update is interrupted, setting a meaning again finishes it.
 */
export async function mapStatus(
  db: Database,
  actor: Actor,
  key: MappingKey,
  status: TrackingStatus,
): Promise<MappingResult> {
  const { source, providerStatus } = key;
  await changeMappings(db, async (client) => {
    const [currentMapping] = await sql.readMapping.run(client, { source, providerStatus });
    const mapping = { source, providerStatus, status, createdBy: actor.name };
    const [storedMapping] = await sql.storeMapping.run(client, mapping);
    await writeAuditEntries(client, actor, [
      {
        action: 'status_mapping.set',
        recordType: 'status_mapping',
        recordId: `${source}: ${storedMapping!.provider_status}`,
        before: { status: currentMapping?.status ?? null },
        after: { status },
      },
    ]);
  });
  return applyMapping(db, key);
}

/**
 * Removes a provider status's meaning. Stored events lose the status that it gave them. If the update is interrupted, removing
 * the meaning again finishes it.
 *
 * @throws ServiceError `not_found` if the status has no meaning and no stored event has one from it
 */
export async function unmapStatus(db: Database, actor: Actor, key: MappingKey): Promise<MappingResult> {
  const wasMapped = await changeMappings(db, async (client) => {
    const [removedMapping] = await sql.removeMapping.run(client, { ...key });
    if (!removedMapping) return false;
    await writeAuditEntries(client, actor, [
      {
        action: 'status_mapping.remove',
        recordType: 'status_mapping',
        recordId: `${key.source}: ${removedMapping.provider_status}`,
        before: { status: removedMapping.status },
        after: { status: null },
      },
    ]);
    return true;
  });
  const result = await applyMapping(db, key);
  if (!wasMapped && result.changed_events === 0) throw notFound(createReason('answer.noMapping'));
  return result;
}
