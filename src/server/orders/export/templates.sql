/* @name lockTemplates */
-- Serializes changes, so that their number is bounded; reading goes on.
LOCK TABLE export_templates IN SHARE ROW EXCLUSIVE MODE;
