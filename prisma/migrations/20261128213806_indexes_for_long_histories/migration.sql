-- CreateIndex
CREATE INDEX "tracking_numbers_status_status_at_idx" ON "tracking_numbers"("status", "status_at");

-- Finds the numbers that are due for a carrier query, which are few of all. Numbers that were never queried come first.
CREATE INDEX "tracking_numbers_due_idx" ON "tracking_numbers"((coalesce("asked_at", '-infinity')), "tracking_number")
    WHERE "status" <> ALL ('{delivered,expired}');

-- For the filters of the page of callbacks, most of which have been processed and name tracking numbers.
CREATE INDEX "inbound_records_unprocessed_idx" ON "inbound_records"("kind", "received_at" DESC, "id" DESC) WHERE "processed_at" IS NULL;
CREATE INDEX "inbound_records_without_numbers_idx" ON "inbound_records"("kind", "received_at" DESC, "id" DESC)
    WHERE "kind" = 'tracks' AND NOT (jsonb_array_length(coalesce("result"->'tracking_numbers', '[]')) > 0);
CREATE INDEX "inbound_records_tracking_numbers_idx" ON "inbound_records"
    USING gin ((coalesce("result"->'tracking_numbers', '[]')) jsonb_path_ops);
CREATE INDEX "inbound_records_left_out_idx" ON "inbound_records" USING gin (("result"->'left_out') jsonb_path_ops);

-- For the replies about an order number. The expression is that of listReplies (src/server/messages/replies/replies.sql).
CREATE INDEX "replies_order_number_idx" ON "replies"((regexp_replace(regexp_replace(regexp_replace("order_number",
        '[\s\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]+', '', 'g'), '^#+', ''), '^(\d+)\.0+$', '\1')),
    "created_at" DESC, "id" DESC);
-- For the queue "Replies to review", which has to know whether a later reply was sent.
CREATE INDEX "replies_sent_idx" ON "replies"("shop_id", "order_id", "sent_at") WHERE "sent_at" IS NOT NULL;
