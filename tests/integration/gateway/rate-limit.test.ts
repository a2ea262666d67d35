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
