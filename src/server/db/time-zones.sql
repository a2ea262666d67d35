/* @name findTimeZone */
-- AT TIME ZONE reads a name that is also an abbreviation, such as CET, as an offset without daylight saving time. Only zones that
-- never have it, and have that offset, are safe to use by such a name.
SELECT n.name AS "name!" FROM pg_timezone_names n
 WHERE lower(n.name) = lower(:timeZone!)
   AND NOT EXISTS (
     SELECT FROM pg_timezone_abbrevs a
      WHERE a.abbrev = upper(n.name)
        AND NOT (a.utc_offset = n.utc_offset AND n.name IN ('EST', 'GMT', 'HST', 'MST', 'UCT', 'UTC', 'Zulu')));
