-- Once, on the primary: the service's role and its database.
CREATE ROLE brickdesk LOGIN PASSWORD :'password';
CREATE DATABASE brickdesk OWNER brickdesk;
