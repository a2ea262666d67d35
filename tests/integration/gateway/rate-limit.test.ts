import { describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/server/identity/keys/service';
import { startTestService, TEST_ACTOR } from '../../support/service/test-service';

describe.each(['memory', 'postgres'])('with counts in %s,', (store) => {
  it('a key may send as many requests a minute as configured, then gets 429 with the time to wait', async () => {
    const service = await startTestService({ RATE_LIMIT_PER_MINUTE: '5', RATE_LIMIT_STORE: store });
    try {
      const path = '/api/legos-cate';
      for (const remainingCount of [4, 3, 2, 1, 0]) {
        const response = await service.send(path);
        expect(response.status).toBe(200);
        expect(response.headers.get('ratelimit-limit')).toBe('5');
        expect(response.headers.get('ratelimit-remaining')).toBe(String(remainingCount));
      }
      const refusal = await service.send(path);
      expect(refusal.status).toBe(429);
      expect(refusal.json).toMatchObject({ success: false, code: 'rate_limited' });
      const seconds = Number(refusal.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(refusal.headers.get('ratelimit-reset')).toBe(String(seconds));
      const { key } = await createApiKey(service.app.services.db, TEST_ACTOR, {
        name: 'other',
        expiresAt: null,
      });
      expect((await service.send(path, { headers: { 'X-Api-Key': key } })).status).toBe(200);
      expect((await service.send(path, { headers: { 'X-Api-Key': 'wrong' } })).status).toBe(401);
    } finally {
      await service.close();
    }
  });
});

it('only requests that are counted for a key have its RateLimit headers', async () => {
  const service = await startTestService({ UNAUTHENTICATED_LIMIT_PER_MINUTE: '1' });
  try {
    const { key: restrictedKey } = await createApiKey(service.app.services.db, TEST_ACTOR, {
      name: 'restricted',
      expiresAt: null,
      addressRanges: ['203.0.113.0/24'],
    });
    const path = '/api/legos-cate';
    const limitOf = async (...[target, options]: Parameters<typeof service.send>) => {
      const { status, headers } = await service.send(target, options);
      return [status, headers.has('ratelimit-limit')];
    };
    expect(await limitOf(path)).toEqual([200, true]);
    expect(await limitOf('/api/logistics?order=1')).toEqual([422, true]);
    expect(await limitOf('/api/nothing')).toEqual([404, false]);
    expect(await limitOf(path, { method: 'DELETE' })).toEqual([405, false]);
    expect(await limitOf(path, { headers: { 'X-Api-Key': restrictedKey } })).toEqual([403, false]);
    expect(await limitOf(path, { headers: { 'X-Api-Key': undefined } })).toEqual([401, false]);
    expect(await limitOf(path, { headers: { 'X-Api-Key': undefined } })).toEqual([429, false]);
  } finally {
    await service.close();
  }
});
