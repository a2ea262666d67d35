-- CreateIndex
CREATE INDEX "waybills_carrier_code_idx" ON "waybills"("carrier_code");

-- CreateIndex
CREATE INDEX "shipments_carrier_code_idx" ON "shipments"("carrier_code");

-- What the list of parcels is ordered by: since when a parcel has its status.
CREATE INDEX "waybills_since_idx" ON "waybills"((coalesce("status_at", "created_at")) DESC, "tracking_number" DESC);
