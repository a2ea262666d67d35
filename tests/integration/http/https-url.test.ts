import { expect, it } from 'vitest';
import { startTestService } from '../../support/service/test-service';

it('a service whose APP_URL is https has the protection of https and names its URL, however the setting is written', async () => {
  const service = await startTestService({ APP_URL: 'HTTPS://Desk.Example:443/' });
  const { headers } = await service.send('/api/auth/csrf');
  expect(headers.get('strict-transport-security')).toContain('max-age=');
  expect(headers.getSetCookie().join('\n')).toMatch(/^__Host-next-auth\.csrf-token=.*; Secure/m);
  expect((await service.send('/docs/api/mcp-tools.json')).json.server.base_url).toBe('https://desk.example');
  await service.close();
});
