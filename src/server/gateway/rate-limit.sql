/* @name deleteExpiredCounts */
DELETE FROM rate_limits WHERE expire < extract(epoch FROM now()) * 1000;
