/**
 * The statements that merge observations of one waybill number. Everything that changes tracking locks in one order: waybills
 * by number, then orders by id; so nothing ever waits in a circle.
 */

/** $1 number. Makes the waybill where it is new, and locks it until the end of the transaction either way. */
export const LOCK_WAYBILL = `
INSERT INTO waybills (tracking_number) VALUES ($1)
ON CONFLICT (tracking_number) DO UPDATE SET updated_at = now()`;

/**
 * $1 observations as JSON, $2 inbound record or null. Adds those that are new. One that is known takes the greater status and
 * texts of the two, so that the order of arrival cannot matter. Answers how many events were new.
 */
export const ADD_OBSERVATIONS = `
WITH added AS (
  INSERT INTO tracking_events AS t (tracking_number, kind, identity, occurred_at, status, sub_status, stage,
                                    provider_status, description, location, source, inbound_record_id)
  SELECT tracking_number, kind, decode(identity, 'hex'), occurred_at, status, sub_status, stage,
         provider_status, description, location, source, $2
    FROM json_to_recordset($1::json) AS e(
      tracking_number text, kind observation_kind, identity text, occurred_at timestamptz, status tracking_status,
      sub_status text, stage text, provider_status text, description text, location text, source text)
   ORDER BY occurred_at, identity
  ON CONFLICT (tracking_number, identity) DO UPDATE SET
    occurred_at = least(t.occurred_at, excluded.occurred_at),
    sub_status = CASE WHEN excluded.status IS NOT DISTINCT FROM t.status THEN greatest(t.sub_status, excluded.sub_status)
                      WHEN t.status IS NULL OR excluded.status > t.status THEN excluded.sub_status
                      ELSE t.sub_status END,
    status = greatest(t.status, excluded.status),
    stage = greatest(t.stage, excluded.stage),
    provider_status = greatest(t.provider_status, excluded.provider_status),
    description = greatest(t.description, excluded.description),
    location = greatest(t.location, excluded.location)
  RETURNING xmax = 0 AS new, kind
)
SELECT count(*) FILTER (WHERE new AND kind = 'event')::int AS new_events FROM added`;

/** $1 number. The whole set of observations. */
export const READ_OBSERVATIONS = `
SELECT kind, encode(identity, 'hex') AS identity, extract(epoch FROM occurred_at)::float8 * 1000 AS occurred_at,
       status, sub_status
  FROM tracking_events WHERE tracking_number = $1`;

/** $1 number, $2 status, $3 sub-status, $4 since (milliseconds), $5 carrier or null. */
export const WRITE_STATUS = `
UPDATE waybills SET status = $2, sub_status = $3, status_at = to_timestamp($4::float8 / 1000),
                    carrier_code = coalesce($5, carrier_code), updated_at = now()
 WHERE tracking_number = $1`;

/** $1 number. The orders that travel under it. */
export const ORDERS_OF_WAYBILL = `SELECT DISTINCT order_id FROM shipments WHERE tracking_number = $1`;
