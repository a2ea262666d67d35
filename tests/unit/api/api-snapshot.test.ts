import { describe, expect, it } from 'vitest';
import {
  type Documents,
  findSnapshotProblems,
  generateDocuments,
  hashDocuments,
  readSnapshot,
  type Snapshot,
  updateRecords,
} from '../../../scripts/snapshot';

const ENTRY = '## 0.9.0 - 2026-01-02\n\n### API\n\n- A thing.\n';
const NEXT_ENTRY = '## 0.9.1 - 2026-02-03\n\n### API\n\n- Another thing.\n';
const NEXT_STEPS_PATTERN = /under "### API" in CHANGELOG\.md, .* run "npm run api:snapshot".* -- --amend"/;

const currentDocuments = generateDocuments();

/** Returns a valid snapshot of these documents, with one entry of the change log. */
function createSnapshot(documents: Documents = currentDocuments, changelog = ENTRY): Snapshot {
  return { documents, changelog, records: [{ hash: hashDocuments(documents), entry: '0.9.0 - 2026-01-02' }] };
}

/** Returns the documents with one field of one operation changed. */
function createChangedDocuments(): Documents {
  const openApi = JSON.parse(currentDocuments['openapi.json']);
  const { properties } =
    openApi.paths['/api/shop-statistics'].post.requestBody.content['application/json'].schema;
  properties.ad_clicks.minimum = 1;
  return { ...currentDocuments, 'openapi.json': `${JSON.stringify(openApi, null, 2)}\n` };
}

describe('the committed snapshot of the API', () => {
  it('is what the service generates, and the change log has an entry for it', async () => {
    expect(findSnapshotProblems(await readSnapshot('.'), currentDocuments)).toEqual([]);
  });

  it('does not change with a release alone', () => {
    expect(JSON.parse(currentDocuments['openapi.json']).info.version).toBe('0.0.0');
    expect(JSON.parse(currentDocuments['mcp-tools.json']).server.version).toBe('0.0.0');
  });
});

describe('a changed field', () => {
  it('is reported with its path, and with what to write and run', () => {
    const [problem, ...otherProblems] = findSnapshotProblems(createSnapshot(), createChangedDocuments());
    expect(otherProblems).toEqual([]);
    expect(problem).toContain(
      'paths./api/shop-statistics.post.requestBody.content.application/json.schema.properties.ad_clicks.minimum',
    );
    expect(problem).toMatch(NEXT_STEPS_PATTERN);
  });

  it('cannot be put into the snapshot without a new dated entry', () => {
    const snapshot = createSnapshot();
    expect(() => updateRecords(snapshot, createChangedDocuments())).toThrow(NEXT_STEPS_PATTERN);
    // First only the documents are edited by hand, then the records too.
    const editedSnapshot = { ...snapshot, documents: createChangedDocuments() };
    const [problem] = findSnapshotProblems(editedSnapshot, createChangedDocuments());
    expect(problem).toContain('state.json does not record');
    expect(problem).toMatch(NEXT_STEPS_PATTERN);
    const sharedEntryRecord = {
      hash: hashDocuments(createChangedDocuments()),
      entry: snapshot.records[0]!.entry,
    };
    expect(
      findSnapshotProblems(
        { ...editedSnapshot, records: [...snapshot.records, sharedEntryRecord] },
        createChangedDocuments(),
      ),
    ).toEqual([expect.stringMatching('share the entry')]);
    const recordWithMissingEntry = { ...sharedEntryRecord, entry: '1.0.0 - 2026-03-04' };
    expect(
      findSnapshotProblems(
        { ...editedSnapshot, records: [...snapshot.records, recordWithMissingEntry] },
        createChangedDocuments(),
      ),
    ).toEqual([expect.stringMatching('no dated entry "## 1.0.0 - 2026-03-04"')]);
  });

  it('is accepted with a new dated entry', () => {
    const changelog = `${NEXT_ENTRY}\n${ENTRY}`;
    const records = updateRecords({ ...createSnapshot(), changelog }, createChangedDocuments());
    expect(records.map(({ entry }) => entry)).toEqual(['0.9.0 - 2026-01-02', '0.9.1 - 2026-02-03']);
    expect(
      findSnapshotProblems(
        { documents: createChangedDocuments(), records, changelog },
        createChangedDocuments(),
      ),
    ).toEqual([]);
  });

  it('can be added to the newest entry on request', () => {
    const records = updateRecords(createSnapshot(), createChangedDocuments(), true);
    expect(records).toEqual([{ hash: hashDocuments(createChangedDocuments()), entry: '0.9.0 - 2026-01-02' }]);
  });

  it('needs an entry that has a date and a section on the API', () => {
    for (const heading of ['## Unreleased\n\n### API\n', '## 0.9.1 - 2026-02-03\n\n### Service\n'])
      expect(() =>
        updateRecords({ ...createSnapshot(), changelog: `${heading}\n${ENTRY}` }, createChangedDocuments()),
      ).toThrow(NEXT_STEPS_PATTERN);
  });
});
