-- Run once, on the primary. Creates the service's role and its database.
CREATE ROLE brickdesk LOGIN PASSWORD :'password';
CREATE DATABASE brickdesk OWNER brickdesk;
