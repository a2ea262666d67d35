/* @name readStatuses */
-- A statement of its own: the numbers' rows may be on other servers of a cluster than the orders.
SELECT tracking_number, status FROM tracking_numbers WHERE tracking_number = ANY(:trackingNumbers!::text[]);
