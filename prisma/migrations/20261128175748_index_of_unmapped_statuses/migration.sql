-- For the statuses without a meaning and the events that a meaning applies to: nearly all events have no status of the provider's own.
CREATE INDEX "tracking_events_provider_status_idx" ON "tracking_events"(LOWER(BTRIM("provider_status")))
    WHERE "provider_status" IS NOT NULL;
