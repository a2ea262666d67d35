import { expect, it } from 'vitest';
import { formatExactJson, parseExactJson } from '../../../../../src/components/ui/value/exact-json';

const roundTrip = (text: string) => formatExactJson(parseExactJson(text));

it('shows numbers with the digits that were received', () => {
  for (const text of ['{"number":90071992547409921,"amount":1.10}', '[1e400,-0]', '12345678901234567890'])
    expect(roundTrip(text)).toBe(text);
});

it('reads what the service reads: after a byte order mark, and the last of equal keys', () => {
  expect(roundTrip('\uFEFF{"a":1,"b":2,"a":"3"}')).toBe('{"a":"3","b":2}');
});

it('formats plain values and those that were parsed alike', () => {
  const text = '{\n  "a": [\n    1,\n    null\n  ]\n}';
  expect(formatExactJson({ a: [1, null] }, 2)).toBe(text);
  expect(formatExactJson(parseExactJson(text), 2)).toBe(text);
});
