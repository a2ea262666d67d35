/* @name lockUserOfViews */
-- Serializes changes of one user's views.
SELECT id FROM users WHERE id = :userId! FOR NO KEY UPDATE;

/* @name lockView */
SELECT id FROM saved_views WHERE id = :id! FOR UPDATE;
