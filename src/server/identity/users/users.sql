/* @name lockUser */
-- FOR UPDATE would wait for every running import and preview of the user, whose rows reference the user.
SELECT id FROM users WHERE id = :id! FOR NO KEY UPDATE;

/* @name lockActor */
-- Waits for whatever ends the user's access. FOR SHARE, so that the requests of one administrator do not wait for each other.
SELECT id FROM users WHERE id = :id! FOR SHARE;

/* @name lockUsers */
-- Locks users, and all active owners if asked to, in the order of their ids: if two people change each other's accounts, one waits
-- and then sees the other's change.
SELECT id, (role = 'owner' AND deactivated_at IS NULL) AS "is_active_owner!"
  FROM users WHERE id = ANY(:ids!::int[]) OR (:withOwners! AND role = 'owner' AND deactivated_at IS NULL)
 ORDER BY id FOR NO KEY UPDATE;

/* @name lockNotificationChannels */
-- Waits while other transactions change the channels or write notifications for them.
SELECT id FROM notification_channels WHERE user_id = :userId! ORDER BY id FOR NO KEY UPDATE;
