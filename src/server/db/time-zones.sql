/* @name isTimeZone */
SELECT EXISTS (SELECT FROM pg_timezone_names WHERE lower(name) = lower(:timeZone!)) AS "isKnown!";
