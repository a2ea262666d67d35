import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createApiDocuments } from '../src/server/api/api-documents';
import { parseChangeLog } from '../src/server/api/changelog';
import { loadConfig } from '../src/server/config/config';

/** The snapshot's folder, relative to the project's. */
export const SNAPSHOT_FOLDER = path.join('docs', 'api-snapshot');

/** The OpenAPI document and the list of MCP tools as text, by file name. */
export type Documents = Record<'openapi.json' | 'mcp-tools.json', string>;

/** A state of the API and the change log entry that describes it. */
export interface SnapshotRecord {
  /** SHA-256 of the documents. */
  hash: string;
  /** The entry's heading, such as `0.1.0 - 2026-11-21`. */
  entry: string;
}

/** The stored documents with their records, and the change log. */
export interface Snapshot {
  documents: Documents;
  /** Oldest first; the last one belongs to `documents`. */
  records: SnapshotRecord[];
  changelog: string;
}

const FIXED_URL = 'https://brickdesk.example';

/** What to do next; every problem ends with it. */
export const NEXT_STEPS =
  'If the API is meant to change: write what changes for integrators under "### API" in CHANGELOG.md, in the section of the version ' +
  'in package.json ("## VERSION - YYYY-MM-DD", above the others; begin it if there is none). Then run "npm run api:snapshot", or ' +
  '"npm run api:snapshot -- --amend" if an earlier change under that heading is in the snapshot already, and commit docs/api-snapshot.';

/** Generates the documents with a fixed URL, the default limits, and a fixed version, so that a release does not change them. */
export function generateDocuments(): Documents {
  const { readOpenApi, mcpTools } = createApiDocuments(loadConfig({ APP_URL: FIXED_URL }), '0.0.0');
  return { 'openapi.json': `${readOpenApi()}\n`, 'mcp-tools.json': `${mcpTools}\n` };
}

/** Returns the hash that identifies a state of the documents. */
export function hashDocuments(documents: Documents): string {
  const hash = createHash('sha256');
  for (const name of ['openapi.json', 'mcp-tools.json'] as const) hash.update(documents[name]).update('\0');
  return hash.digest('hex');
}

/** Returns the headings of the change log's dated entries about the API, newest first. */
export function listApiEntries(changelog: string): string[] {
  return parseChangeLog(changelog).flatMap(({ version, date, sections }) =>
    date !== null && sections.some(({ title }) => title === 'API') ? [`${version} - ${date}`] : [],
  );
}

/** Returns the dotted paths of all differences between two JSON values. */
function findDifferences(oldValue: unknown, newValue: unknown, parentPath = ''): string[] {
  if (Object.is(oldValue, newValue)) return [];
  const areObjects = [oldValue, newValue].every((value) => typeof value === 'object' && value !== null);
  if (!areObjects) return [parentPath];
  const [oldObject, newObject] = [oldValue, newValue] as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(oldObject!), ...Object.keys(newObject!)])];
  return names.flatMap((name) =>
    findDifferences(oldObject![name], newObject![name], parentPath ? `${parentPath}.${name}` : name),
  );
}

function findDocumentProblems(storedDocuments: Documents, generatedDocuments: Documents): string[] {
  return (Object.keys(generatedDocuments) as (keyof Documents)[]).flatMap((name) => {
    if (storedDocuments[name] === generatedDocuments[name]) return [];
    const paths = findDifferences(JSON.parse(storedDocuments[name]), JSON.parse(generatedDocuments[name]));
    const place = paths.length > 0 ? `at ${paths.slice(0, 5).join(', ')}` : 'in the order of its members';
    const rest = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
    return [`${name} is not what the service generates: it differs ${place}${rest}. ${NEXT_STEPS}`];
  });
}

/**
 * Checks that the snapshot matches the API, and that each recorded state has its own entry in the change log. Needs no git
 * history: state.json records which entry belongs to which state.
 *
 * @returns the problems, each with what to write and run; empty if there are none
 */
export function findSnapshotProblems(snapshot: Snapshot, generatedDocuments: Documents): string[] {
  const { documents, records, changelog } = snapshot;
  const problems = findDocumentProblems(documents, generatedDocuments);
  const newestRecord = records.at(-1);
  if (newestRecord?.hash !== hashDocuments(documents)) {
    problems.push(`docs/api-snapshot has changed, but state.json does not record the change. ${NEXT_STEPS}`);
  }
  const entries = listApiEntries(changelog);
  for (const [n, { entry }] of records.entries()) {
    if (!entries.includes(entry)) {
      problems.push(`CHANGELOG.md has no dated entry "## ${entry}" with "### API". ${NEXT_STEPS}`);
    } else if (records.findIndex((record) => record.entry === entry) !== n) {
      problems.push(`Two states of the API share the entry "${entry}". ${NEXT_STEPS}`);
    }
  }
  return problems;
}

/**
 * Returns the records with one for these documents appended; unchanged if the newest record already describes them.
 *
 * @param amend whether to replace the newest record, whose entry must not have been released yet
 * @throws Error if the newest dated entry about the API belongs to an earlier record, or there is none
 */
export function updateRecords(
  { records, changelog }: Omit<Snapshot, 'documents'>,
  documents: Documents,
  amend = false,
): SnapshotRecord[] {
  const hash = hashDocuments(documents);
  if (records.at(-1)?.hash === hash) return records;
  const earlierRecords = amend ? records.slice(0, -1) : records;
  const [entry] = listApiEntries(changelog);
  if (entry === undefined) throw new Error(`CHANGELOG.md has no dated section with "### API". ${NEXT_STEPS}`);
  if (earlierRecords.some((record) => record.entry === entry))
    throw new Error(
      `The API has changed, but the newest section about it in CHANGELOG.md, ${entry}, already belongs to an earlier state. ${NEXT_STEPS}`,
    );
  return [...earlierRecords, { hash, entry }];
}

/** Reads the snapshot and the change log from a project's folder. A missing file counts as empty. */
export async function readSnapshot(root: string): Promise<Snapshot> {
  const readText = (file: string, defaultText: string) =>
    readFile(path.join(root, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return defaultText;
      throw error;
    });
  const readStoredFile = (name: string, defaultText = '{}') =>
    readText(path.join(SNAPSHOT_FOLDER, name), defaultText);
  return {
    documents: {
      'openapi.json': await readStoredFile('openapi.json'),
      'mcp-tools.json': await readStoredFile('mcp-tools.json'),
    },
    records: JSON.parse(await readStoredFile('state.json', '[]')),
    changelog: await readText('CHANGELOG.md', ''),
  };
}
