-- For the undo of an import, which lists the shipments that it added and a user has removed.
CREATE INDEX "audit_log_removed_shipments_idx" ON "audit_log"(("before"->>'import_id')) WHERE "action" = 'order.remove_tracking_number';
