-- For the statuses without a meaning and the events that a meaning applies to: nearly all events have no status of the provider's own.
-- Such a status can be longer than a key of an index.
CREATE INDEX "tracking_events_provider_status_idx" ON "tracking_events"("tracking_number") WHERE "provider_status" IS NOT NULL;
