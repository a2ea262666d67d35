import { expect, it } from 'vitest';
import { PreviewCache } from '../../../../src/server/orders/drafts/preview-cache';

it('makes a preview once for simultaneous requests, and keeps no failure', async () => {
  const cache = new PreviewCache<number>();
  let created = 0;
  const make = async () => ++created;
  expect(await Promise.all([cache.getOrBuild('a', make), cache.getOrBuild('a', make)])).toEqual([1, 1]);
  const failing = () => cache.getOrBuild('b', () => Promise.reject(new Error('no')));
  await expect(failing()).rejects.toThrow('no');
  expect(await cache.getOrBuild('b', make)).toBe(2);
});

it('drops the least recently used, and finds a moved one only under its new key', async () => {
  const cache = new PreviewCache<string>(2);
  const ask = (key: string, value: string) => cache.getOrBuild(key, async () => value);
  await ask('a', 'a1');
  await ask('b', 'b1');
  await ask('a', 'a2');
  await ask('c', 'c1');
  expect([await ask('a', 'a3'), await ask('b', 'b2')]).toEqual(['a1', 'b2']);
  cache.move('b', 'd');
  expect([await ask('d', 'd1'), await ask('b', 'b3')]).toEqual(['b2', 'b3']);
});
