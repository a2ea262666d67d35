/* @name findTimeZone */
SELECT name AS "name!" FROM pg_timezone_names WHERE lower(name) = lower(:timeZone!);
