import { expect, it } from 'vitest';
import { PreviewCache } from '../../../../src/server/orders/drafts/preview-cache';

it('the cache builds a preview once for concurrent requests, and does not keep a failure', async () => {
  const cache = new PreviewCache<number>();
  let buildCount = 0;
  const build = async () => ++buildCount;
  expect(await Promise.all([cache.getOrBuild('a', build), cache.getOrBuild('a', build)])).toEqual([1, 1]);
  const buildFailingPreview = () => cache.getOrBuild('b', () => Promise.reject(new Error('no')));
  await expect(buildFailingPreview()).rejects.toThrow('no');
  expect(await cache.getOrBuild('b', build)).toBe(2);
});

it('the cache evicts the least recently used preview, and finds a moved preview only under its new key', async () => {
  const cache = new PreviewCache<string>(2);
  const getPreview = (key: string, value: string) => cache.getOrBuild(key, async () => value);
  await getPreview('a', 'a1');
  await getPreview('b', 'b1');
  await getPreview('a', 'a2');
  await getPreview('c', 'c1');
  expect([await getPreview('a', 'a3'), await getPreview('b', 'b2')]).toEqual(['a1', 'b2']);
  cache.move('b', 'd');
  expect([await getPreview('d', 'd1'), await getPreview('b', 'b3')]).toEqual(['b2', 'b3']);
});
