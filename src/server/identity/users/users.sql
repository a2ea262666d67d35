/* @name lockUser */
-- FOR UPDATE would wait for every running import and preview of the user, whose rows reference the user.
SELECT id FROM users WHERE id = :id! FOR NO KEY UPDATE;

/* @name lockUserByEmail */
SELECT id FROM users WHERE email = :email! FOR NO KEY UPDATE;

/* @name lockOwners */
-- Take these locks before locking any other user, so that if two owners demote or deactivate each other, one waits and then sees
-- the other's change.
SELECT id FROM users WHERE role = 'owner' AND deactivated_at IS NULL ORDER BY id FOR NO KEY UPDATE;

/* @name lockNotificationChannels */
-- Waits while other transactions change the channels or write notifications for them.
SELECT id FROM notification_channels WHERE user_id = :userId! ORDER BY id FOR NO KEY UPDATE;
