import { expect, it } from 'vitest';
import { asCurl, asTypeScript } from '../../../../../src/components/ui/page/api-call-text';
import { parseExactJson } from '../../../../../src/components/ui/value/exact-json';

const ORIGIN = 'https://desk.example';
const callOf = (json: string) => ({
  method: 'POST' as const,
  path: '/api/v1/tracks',
  body: parseExactJson(json),
});

it('an API call shows its body as an object, as curl and as TypeScript', () => {
  const call = callOf('{"data":{"number":"A1"}}');
  expect(asCurl(ORIGIN, call)).toContain(`-d '{"data":{"number":"A1"}}'`);
  expect(asTypeScript(ORIGIN, call)).toContain('body: JSON.stringify({\n    "data": {\n      "number": "A1"');
});

it('an API call sends the digits that were received, even those that a number in JavaScript would lose', () => {
  const json = '{"data":{"number":90071992547409921,"weight":1e400}}';
  expect(asCurl(ORIGIN, callOf(json))).toContain(`-d '${json}'`);
  expect(asTypeScript(ORIGIN, callOf(json))).toContain(`body: ${JSON.stringify(json)},`);
});

it('an API call without a body sends none', () => {
  const call = { method: 'GET' as const, path: '/api/logistics', query: { tracking_number: 'A1' } };
  expect(asCurl(ORIGIN, call)).toBe(
    `curl '${ORIGIN}/api/logistics?tracking_number=A1' \\\n  -H 'X-Api-Key: YOUR_KEY'`,
  );
  expect(asTypeScript(ORIGIN, call)).not.toContain('body');
});
