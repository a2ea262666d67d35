import { expect, it } from 'vitest';
import { checkReply } from '../../../../src/server/messages/claims/fact-check';
import { parseHanNumber } from '../../../../src/server/messages/claims/number-words';

it.each([
  ['二〇〇', 200],
  ['五〇', 50],
  ['五零', 50],
  ['二〇二六', 2026],
  ['一二三', 123],
  ['二〇万', 200_000],
  ['〇', 0],
  ['十', 10],
  ['二十五', 25],
  ['一百〇五', 105],
  ['一百二十', 120],
  ['一千零一十', 1_010],
  ['两万三千', 23_000],
  // "Two or three" and "twenty or thirty" count as the larger number.
  ['两三', 3],
  ['二三十', 30],
])('the number %s is %d', (text, value) => {
  expect(parseHanNumber(text)).toBe(value);
});

it.each([
  ['200元', '我们退您二〇〇元'],
  ['50元', '退款五〇元'],
])('a prompt that says %s confirms the reply %s', (prompt, reply) => {
  expect(checkReply(reply, { facts: null, prompt, messages: [] })).toEqual([]);
  expect(checkReply(reply, { facts: null, prompt: '', messages: [] })).toHaveLength(1);
});
