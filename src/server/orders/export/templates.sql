/* @name lockTemplates */
-- Lets only one change run at a time, so that the number of templates stays bounded. Reads are not blocked.
LOCK TABLE export_templates IN SHARE ROW EXCLUSIVE MODE;
