import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

it('GET /api/user is 401 without a bearer token, an X-Api-Key alone included', async () => {
  for (const key of [undefined, service.key]) {
    const answer = await service.send('/api/user', { headers: { 'X-Api-Key': key } });
    expect(answer.status).toBe(401);
    expect(answer.json).toMatchObject({ success: false, code: 'unauthorized' });
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+"/);
    expect(answer.headers.get('www-authenticate')).not.toContain('error=');
  }
});

it('GET /api/user is 401 with invalid_token for a token that nobody issued', async () => {
  for (const token of ['x', 'eyJhbGciOiJub25lIn0.e30.', service.key]) {
    const answer = await service.send('/api/user', { headers: { Authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  }
});

it('no native call reaches it with an API key', async () => {
  expect((await service.send('/api/trpc/identity.user')).status).toBe(401);
});
