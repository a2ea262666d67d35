/* @name isNumberStored */
SELECT EXISTS (SELECT FROM tracking_numbers WHERE tracking_number = :trackingNumber!) AS "is_stored!";

/* @name readNewestTime */
SELECT (extract(epoch FROM max(occurred_at)) * 1000)::float8 AS newest_time
  FROM tracking_events WHERE tracking_number = :trackingNumber!;

/* @name addCorrection */
-- `at` is in milliseconds. `received_at` is when the statement runs: the transaction may have begun earlier and waited for the
-- number's lock.
INSERT INTO tracking_events (tracking_number, kind, identity, occurred_at, status, description, source, received_at)
VALUES (:trackingNumber!, 'correction', decode(:identity!, 'hex'), to_timestamp(:at!::float8 / 1000), :status!, :note, 'person',
        statement_timestamp())
RETURNING id::text AS "id!";

/* @name removeCorrection */
DELETE FROM tracking_events WHERE tracking_number = :trackingNumber! AND id = :eventId! AND kind = 'correction'
RETURNING description;

/* @name readStatus */
SELECT status, sub_status FROM tracking_numbers WHERE tracking_number = :trackingNumber!;
