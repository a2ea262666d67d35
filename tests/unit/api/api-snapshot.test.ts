import { describe, expect, it } from 'vitest';
import {
  type Documents,
  findSnapshotProblems,
  generateDocuments,
  readSnapshot,
  recordSnapshot,
  type Snapshot,
  snapshotHash,
} from '../../../scripts/snapshot';

const ENTRY = '## 0.9.0 - 2026-01-02\n\n### API\n\n- A thing.\n';
const NEXT_ENTRY = '## 0.9.1 - 2026-02-03\n\n### API\n\n- Another thing.\n';
const NEXT_STEPS = /new dated heading in CHANGELOG\.md .* run "npm run api:snapshot"/;

const currentDocuments = generateDocuments();

/** Returns a valid snapshot of these documents, with one entry of the change log. */
function validSnapshot(documents: Documents = currentDocuments, changelog = ENTRY): Snapshot {
  return { documents, changelog, records: [{ hash: snapshotHash(documents), entry: '0.9.0 - 2026-01-02' }] };
}

/** Returns the documents with one field of one operation changed. */
function changedApi(): Documents {
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
    const [problem, ...otherProblems] = findSnapshotProblems(validSnapshot(), changedApi());
    expect(otherProblems).toEqual([]);
    expect(problem).toContain(
      'paths./api/shop-statistics.post.requestBody.content.application/json.schema.properties.ad_clicks.minimum',
    );
    expect(problem).toMatch(NEXT_STEPS);
  });

  it('cannot be put into the snapshot without a new dated entry', () => {
    const snapshot = validSnapshot();
    expect(() => recordSnapshot(snapshot, changedApi())).toThrow(NEXT_STEPS);
    // First only the documents are edited by hand, then the records too.
    const editedSnapshot = { ...snapshot, documents: changedApi() };
    const [problem] = findSnapshotProblems(editedSnapshot, changedApi());
    expect(problem).toContain('without a new dated entry');
    expect(problem).toMatch(NEXT_STEPS);
    const sharedEntryRecord = { hash: snapshotHash(changedApi()), entry: snapshot.records[0]!.entry };
    expect(
      findSnapshotProblems(
        { ...editedSnapshot, records: [...snapshot.records, sharedEntryRecord] },
        changedApi(),
      ),
    ).toEqual([expect.stringMatching('share the entry')]);
    const missingEntryRecord = { ...sharedEntryRecord, entry: '1.0.0 - 2026-03-04' };
    expect(
      findSnapshotProblems(
        { ...editedSnapshot, records: [...snapshot.records, missingEntryRecord] },
        changedApi(),
      ),
    ).toEqual([expect.stringMatching('no dated entry "## 1.0.0 - 2026-03-04"')]);
  });

  it('is accepted with a new dated entry', () => {
    const changelog = `${NEXT_ENTRY}\n${ENTRY}`;
    const records = recordSnapshot({ ...validSnapshot(), changelog }, changedApi());
    expect(records.map(({ entry }) => entry)).toEqual(['0.9.0 - 2026-01-02', '0.9.1 - 2026-02-03']);
    expect(findSnapshotProblems({ documents: changedApi(), records, changelog }, changedApi())).toEqual([]);
  });

  it('can be added to the newest entry on request', () => {
    const records = recordSnapshot(validSnapshot(), changedApi(), true);
    expect(records).toEqual([{ hash: snapshotHash(changedApi()), entry: '0.9.0 - 2026-01-02' }]);
  });

  it('needs an entry that has a date and a section on the API', () => {
    for (const heading of ['## Unreleased\n\n### API\n', '## 0.9.1 - 2026-02-03\n\n### Service\n'])
      expect(() =>
        recordSnapshot({ ...validSnapshot(), changelog: `${heading}\n${ENTRY}` }, changedApi()),
      ).toThrow(NEXT_STEPS);
  });
});
