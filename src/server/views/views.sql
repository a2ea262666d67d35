/* @name lockViewer */
-- Serializes changes to one user's views and pins.
SELECT id FROM users WHERE id = :userId! FOR NO KEY UPDATE;

/* @name lockView */
SELECT id FROM saved_views WHERE id = :id! FOR UPDATE;
