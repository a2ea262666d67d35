/* @name addEntries */
INSERT INTO audit_log (actor_kind, actor_id, actor, address, request_id, action, record_type, record_id, before, after)
SELECT :kind!, :actorId, :actor!, :address, :requestId, r.action, r."recordType", r."recordId", r.before, r.after
  FROM json_to_recordset(:records!::json) AS r(action text, "recordType" text, "recordId" text, before jsonb, after jsonb);
