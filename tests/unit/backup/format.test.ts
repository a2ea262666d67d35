import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BackupHeader,
  type BackupPart,
  endLine,
  headerLine,
  readBackup,
} from '../../../src/server/backup/format';

const HEADER: BackupHeader = {
  version: '0.2.0',
  postgres: '18.4',
  created_at: '2026-11-22T03:00:00.000Z',
  migrations: ['20261121220000_init'],
};

/** Returns a backup of one table with these rows, in COPY's text format. */
function backupOf(rows: string[]): Buffer {
  const lines = rows.map((row) => `${row}\n`).join('');
  const text = `${headerLine(HEADER)}COPY "shops" ("id", "name") FROM stdin;\n${lines}\\.\n\nSELECT pg_catalog.setval('shops_id_seq', 7, true);\n`;
  return Buffer.from(text + endLine({ shops: rows.length }, createHash('sha256').update(text).digest('hex')));
}

async function* chunksOf(bytes: Buffer, sizes: number[]): AsyncGenerator<Buffer> {
  let offset = 0;
  for (let index = 0; offset < bytes.length; index++) {
    const size = sizes[index % sizes.length]!;
    yield bytes.subarray(offset, offset + size);
    offset += size;
  }
}

/** Returns the kinds of the parts, with consecutive chunks of rows counted as one, and the text of all rows. */
async function readParts(bytes: Buffer, sizes = [64]): Promise<{ kinds: string[]; rows: string }> {
  const parts: BackupPart[] = [];
  for await (const part of readBackup(chunksOf(bytes, sizes))) parts.push(part);
  const rows = parts.flatMap((part) => (part.kind === 'rows' ? [part.data] : []));
  const kinds = parts
    .map(({ kind }) => kind)
    .filter((kind, index, allKinds) => kind !== 'rows' || allKinds[index - 1] !== 'rows');
  return { kinds, rows: Buffer.concat(rows).toString('utf8') };
}

const anyRow = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((text) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\ud800', ''));

describe('a backup', () => {
  it('is read the same however its bytes are split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRow, { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 }),
        async (rows, sizes) => {
          const parts = await readParts(backupOf(rows), sizes);
          const expectedText = Buffer.from(rows.map((row) => `${row}\n`).join('')).toString('utf8');
          expect(parts.rows).toBe(expectedText);
          expect(parts.kinds).toEqual(
            ['header', 'table', 'rows', 'table-end', 'sequence', 'end'].filter(
              (kind) => kind !== 'rows' || rows.length > 0,
            ),
          );
        },
      ),
    );
  });

  it('that is cut short or has a changed byte is refused', async () => {
    const wholeBackup = backupOf(['1\tA', '2\tB']);
    for (let offset = 1; offset < wholeBackup.length; offset++) {
      await expect(readParts(wholeBackup.subarray(0, offset)), `cut at ${offset}`).rejects.toThrow(/backup/);
      const changedBackup = Buffer.from(wholeBackup);
      changedBackup[offset]! ^= 1;
      await expect(readParts(changedBackup), `changed at ${offset}`).rejects.toThrow(/backup/);
    }
  });

  it.each(['SELECT 1;\n', 'SELECT 1;', 'S'])('with trailing bytes is refused: %j', async (text) => {
    await expect(readParts(Buffer.concat([backupOf([]), Buffer.from(text)]))).rejects.toThrow(
      'there is data after its last line',
    );
  });

  it('in a newer format is refused as written by a newer version', async () => {
    const newerBackup = Buffer.from(backupOf([]).toString('utf8').replace('"format":1', '"format":2'));
    await expect(readParts(newerBackup)).rejects.toThrow('newer version of Brickdesk');
  });

  it.each([
    ['without its format', '"format":1,', ''],
    ['of a format that never existed', '"format":1', '"format":0'],
    ['without its migrations', '"migrations"', '"migrated"'],
  ])('with a header %s is refused as damaged, not as newer', async (_, oldText, newText) => {
    const text = backupOf([]).toString('utf8');
    expect(text).toContain(oldText);
    await expect(readParts(Buffer.from(text.replace(oldText, newText)))).rejects.toThrow(
      'its header cannot be read',
    );
  });

  it.each([
    ['an empty file', ''],
    ['a long line', 'x'.repeat(3_000_000)],
    ['another script', 'CREATE TABLE a (b int);\n'],
  ])('cannot be %s', async (_, text) => {
    await expect(readParts(Buffer.from(text), [65_536])).rejects.toThrow('not a backup of Brickdesk');
  });
});
