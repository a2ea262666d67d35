/* @name lockUser */
SELECT id FROM users WHERE id = :id! FOR UPDATE;

/* @name lockUserByEmail */
SELECT id FROM users WHERE email = :email! FOR UPDATE;

/* @name lockOwners */
-- Before any other user: of two owners who remove each other, one waits and then sees what the other did.
SELECT id FROM users WHERE role = 'owner' AND deactivated_at IS NULL ORDER BY id FOR UPDATE;
