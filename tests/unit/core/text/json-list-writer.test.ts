import { describe, expect, it } from 'vitest';
import { JsonListWriter } from '../../../../src/server/core/text/json-list-writer';

function writeList(records: readonly unknown[]): Uint8Array {
  const writer = new JsonListWriter();
  for (const record of records) writer.add(record);
  expect(writer.count).toBe(records.length);
  return writer.end();
}
const parseBytes = (bytes: Uint8Array): unknown =>
  JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));

describe('a JSON list written record by record', () => {
  it.each([
    [[]],
    [[{}]],
    [['']],
    [[1, null, 'two', { three: [3] }]],
    [['狐狸', 'ß', '🦊', 'a"b\\c\n', '\ud800']],
    [['x'.repeat(16 * 1024), '狐'.repeat(100_000), 'y']],
    [Array.from({ length: 5_000 }, (_, n) => ({ n, text: '狐狸'.repeat(n % 50) }))],
  ])('is equivalent to what JSON.stringify writes: case %#', (records) => {
    expect(parseBytes(writeList(records))).toEqual(JSON.parse(JSON.stringify(records)));
  });

  it('has a buffer of its own, which contains nothing but the list', () => {
    const bytes = writeList(['a']);
    expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
  });
});
