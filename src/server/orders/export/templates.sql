/* @name lockTemplates */
-- Serializes changes, so that the number of templates stays bounded. Reads are not blocked.
LOCK TABLE export_templates IN SHARE ROW EXCLUSIVE MODE;
