-- For the names that records had, which are looked up for each entry of a page: most entries of a user are sign-ins, without one.
CREATE INDEX "audit_log_names_idx" ON "audit_log"("record_type", "record_id", "id")
    WHERE COALESCE("before"->>'name', "after"->>'name', "before"->>'code', "after"->>'code') IS NOT NULL;
