-- "queue_records" replaced both views.

-- contract: unused since 0.5.0
DROP VIEW "queue_work";

-- contract: unused since 0.5.0
DROP VIEW "queue_entries";
