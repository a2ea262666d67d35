/* @name readStatuses */
-- A separate statement, because the numbers' rows and the orders may be on different servers of a cluster.
SELECT tracking_number, status FROM tracking_numbers WHERE tracking_number = ANY(:trackingNumbers!::text[]);
