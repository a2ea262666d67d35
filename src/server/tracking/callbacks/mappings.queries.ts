// Written by `npm run sql` from mappings.sql: change that file instead.
import { Statement } from '../../db/statement';

export type tracking_status = 'available_for_pickup' | 'delivered' | 'delivery_failure' | 'exception' | 'expired' | 'in_transit' | 'info_received' | 'not_found' | 'out_for_delivery';
export type NumberOrString = number | string;
export type stringArray = (string)[];

export interface ListUnmappedParams {
  limit: NumberOrString;
}

export interface ListUnmappedRow {
  description: string | null;
  events: number;
  newest: Date;
  occurred_at: Date;
  provider_status: string;
  record_id: string | null;
  shipments: number;
  since: Date;
  source: string;
  tracking_number: string;
}

export const listUnmapped = new Statement<ListUnmappedParams, ListUnmappedRow>('mappings.listUnmapped', `
-- Statuses without a meaning, each with its newest event as an example. The example is looked up by number because the events' key
-- begins with it.
WITH unmapped AS (
  SELECT CASE source WHEN 'callback' THEN 'plain' ELSE source END AS source, lower(btrim(provider_status)) AS status,
         count(*)::int AS events, count(DISTINCT tracking_number)::int AS shipments, min(received_at) AS since,
         max(received_at) AS newest, max(id) AS example_id,
         (array_agg(tracking_number ORDER BY id DESC))[1] AS example_number
    FROM tracking_events WHERE status IS NULL AND provider_status IS NOT NULL
   GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT $1
)
SELECT w.source AS "source", e.provider_status AS "provider_status", w.events AS "events", w.shipments AS "shipments",
       w.since AS "since",
       w.newest AS "newest",
       e.tracking_number, e.description,
       e.occurred_at,
       e.inbound_record_id::text AS record_id
  FROM unmapped w JOIN tracking_events e ON e.tracking_number = w.example_number AND e.id = w.example_id
 ORDER BY w.events DESC, w.source, w.status`, ["limit"]);

export interface ListMappingsRow {
  created_at: Date;
  created_by: string;
  provider_status: string;
  source: string;
  status: tracking_status;
}

export const listMappings = new Statement<undefined, ListMappingsRow>('mappings.listMappings', `
SELECT source, provider_status, status, created_by,
       created_at
  FROM status_mappings ORDER BY source, provider_status`);

export interface FindNumbersToUpdateParams {
  previous: tracking_status | null;
  providerStatus: string;
  source: string;
}

export interface FindNumbersToUpdateRow {
  tracking_number: string;
}

export const findNumbersToUpdate = new Statement<FindNumbersToUpdateParams, FindNumbersToUpdateRow>('mappings.findNumbersToUpdate', `
-- The numbers with events of this provider status whose status is not its current meaning. Events without a status and those that
-- have its previous one follow the mapping; the provider's own sub-status and the status that the code has read take
-- precedence. The meaning is read in the statement, so that after several concurrent changes the last one applies.
SELECT DISTINCT e.tracking_number FROM tracking_events e
 WHERE CASE e.source WHEN 'callback' THEN 'plain' ELSE e.source END = $1
   AND lower(btrim(e.provider_status)) = lower(btrim($2)) AND e.sub_status IS NULL
   AND (e.status IS NULL OR e.status = $3::tracking_status)
   AND e.status IS DISTINCT FROM (
     SELECT m.status FROM status_mappings m WHERE m.source = $1 AND m.provider_status = lower(btrim($2)))
 ORDER BY 1`, ["source","providerStatus","previous"]);

export interface ApplyMappingParams {
  previous: tracking_status | null;
  providerStatus: string;
  source: string;
  trackingNumbers: Readonly<stringArray>;
}

export interface ApplyMappingRow {
  events: number;
}

export const applyMapping = new Statement<ApplyMappingParams, ApplyMappingRow>('mappings.applyMapping', `
-- Updates these events for numbers that are locked. Returns how many changed.
WITH changed AS (
  UPDATE tracking_events e
     SET status = (
           SELECT m.status FROM status_mappings m WHERE m.source = $1 AND m.provider_status = lower(btrim($2)))
   WHERE e.tracking_number = ANY($3::text[])
     AND CASE e.source WHEN 'callback' THEN 'plain' ELSE e.source END = $1
     AND lower(btrim(e.provider_status)) = lower(btrim($2)) AND e.sub_status IS NULL
     AND (e.status IS NULL OR e.status = $4::tracking_status)
     AND e.status IS DISTINCT FROM (
       SELECT m.status FROM status_mappings m WHERE m.source = $1 AND m.provider_status = lower(btrim($2)))
  RETURNING 1
)
SELECT count(*)::int AS "events" FROM changed`, ["source","providerStatus","trackingNumbers","previous"]);

export interface ReadMappingParams {
  providerStatus: string;
  source: string;
}

export interface ReadMappingRow {
  status: tracking_status;
}

export const readMapping = new Statement<ReadMappingParams, ReadMappingRow>('mappings.readMapping', `
SELECT status FROM status_mappings WHERE source = $1 AND provider_status = lower(btrim($2))`, ["source","providerStatus"]);

export interface StoreMappingParams {
  createdBy: string;
  providerStatus: string;
  source: string;
  status: tracking_status;
}

export interface StoreMappingRow {
  provider_status: string;
}

export const storeMapping = new Statement<StoreMappingParams, StoreMappingRow>('mappings.storeMapping', `
INSERT INTO status_mappings (source, provider_status, status, created_by)
VALUES ($1, lower(btrim($2)), $3, $4)
    ON CONFLICT (source, provider_status)
    DO UPDATE SET status = excluded.status, created_by = excluded.created_by, created_at = excluded.created_at
RETURNING provider_status`, ["source","providerStatus","status","createdBy"]);

export interface RemoveMappingParams {
  providerStatus: string;
  source: string;
}

export interface RemoveMappingRow {
  provider_status: string;
  status: tracking_status;
}

export const removeMapping = new Statement<RemoveMappingParams, RemoveMappingRow>('mappings.removeMapping', `
DELETE FROM status_mappings WHERE source = $1 AND provider_status = lower(btrim($2))
RETURNING status, provider_status`, ["source","providerStatus"]);
