import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOpenAiProvider } from '../../../src/server/messages/openai-provider';
import { setPrompt } from '../../../src/server/messages/prompts/service';
import {
  createTurn,
  MESSAGE_PATH,
  type MessageService,
  PROVIDER_KEY,
  PROVIDER_TIMEOUT_MS,
  SHOP_NAME,
  startMessageService,
} from '../../support/service/message-service';
import { startTestService, TEST_ACTOR, type TestResponse } from '../../support/service/test-service';
import {
  PROVIDER_SECRET,
  type ProviderBehaviour,
  startTextProviderStandIn,
} from '../../support/stand-ins/text-provider-stand-in';

let service: MessageService;

beforeAll(async () => {
  service = await startMessageService();
});
beforeEach(() => service.resetProvider());
afterAll(() => service.close());

/** Checks that neither the provider's own texts nor the key reaches the client, the log or the recorded reply. */
async function expectNoSecrets(response: TestResponse, { readLog, readLastReply } = service): Promise<void> {
  for (const text of [response.text, readLog(), JSON.stringify(await readLastReply())]) {
    expect(text).not.toContain(PROVIDER_SECRET);
    expect(text).not.toContain(PROVIDER_KEY);
  }
}

const limitedUntil = (headers: Record<string, string>): ProviderBehaviour => ({
  kind: 'status',
  status: 429,
  headers,
});

const FAILURES: [
  name: string,
  behaviour: ProviderBehaviour,
  outcome: string,
  error: string,
  attemptCount: number,
][] = [
  ['401', { kind: 'status', status: 401, code: 'invalid_api_key' }, 'failed', 'refused', 1],
  ['400', { kind: 'status', status: 400 }, 'failed', 'refused', 1],
  ['404', { kind: 'status', status: 404 }, 'failed', 'refused', 1],
  ['429 without quota', { kind: 'status', status: 429, code: 'insufficient_quota' }, 'failed', 'refused', 1],
  ['429', { kind: 'status', status: 429, headers: { 'Retry-After': '3600' } }, 'failed', 'refused', 1],
  [
    '429, until a date',
    limitedUntil({ 'Retry-After': 'Fri, 31 Dec 2999 23:59:59 GMT' }),
    'failed',
    'refused',
    1,
  ],
  ['429, for milliseconds', limitedUntil({ 'Retry-After-Ms': '3600000' }), 'failed', 'refused', 1],
  ['500', { kind: 'status', status: 500 }, 'failed', 'broken', 3],
  ['HTML', { kind: 'body', body: `<html>${PROVIDER_SECRET}`, type: 'text/html' }, 'failed', 'broken', 1],
  ['broken JSON', { kind: 'body', body: '{"choices": [' }, 'failed', 'broken', 1],
  ['null', { kind: 'body', body: 'null' }, 'failed', 'broken', 1],
  ['an object of another kind', { kind: 'body', body: '{"choices": []}' }, 'failed', 'broken', 1],
  [
    'a list as content',
    { kind: 'body', body: '{"choices": [{"message": {"content": ["a"]}}]}' },
    'failed',
    'broken',
    1,
  ],
  ['an empty body', { kind: 'body', body: '' }, 'failed', 'broken', 1],
  ['a body that never ends', { kind: 'endless-body', status: 200 }, 'failed', 'broken', 1],
  ['an error that never ends', { kind: 'endless-body', status: 400 }, 'failed', 'refused', 1],
  [
    'a reply of more than 100,000 characters',
    { kind: 'reply', text: 'a'.repeat(100_001) },
    'failed',
    'broken',
    1,
  ],
  ['an empty reply', { kind: 'empty' }, 'failed', 'empty', 1],
  ['no content', { kind: 'null-content' }, 'failed', 'empty', 1],
  ['a reply of zero-width spaces', { kind: 'reply', text: '\u200b\u200b' }, 'failed', 'empty', 1],
  ['a reply of invisible characters', { kind: 'reply', text: '\ufeff \u00ad\u00a0' }, 'failed', 'empty', 1],
  ['thoughts without a reply', { kind: 'reply', text: '<think>Refund?</think>\n' }, 'failed', 'empty', 1],
  ['thoughts that do not end', { kind: 'reply', text: '\n<think>Shall I refund' }, 'failed', 'empty', 1],
  ['a reply before a call of a tool', { kind: 'tool-calls' }, 'failed', 'broken', 1],
  ['a refusal', { kind: 'refusal' }, 'refused', 'declined', 1],
  ['a filtered reply', { kind: 'content-filter' }, 'refused', 'declined', 1],
  ['a reply that is cut off', { kind: 'length' }, 'failed', 'cut_off', 1],
  ['a closed connection', { kind: 'hang-up' }, 'failed', 'unreachable', 3],
];

describe('POST /api/marketplace/message', () => {
  it('retries after a temporary failure', async () => {
    service.provider.script({ kind: 'status', status: 500 }, { kind: 'reply', text: 'Second try' });
    expect((await service.requestReply()).json.data.reply).toBe('Second try');
    service.provider.script({ kind: 'hang-up' }, { kind: 'reply', text: 'After the hang-up' });
    expect((await service.requestReply()).json.data.reply).toBe('After the hang-up');
    expect(service.provider.requests).toHaveLength(4);
  });

  it('takes a reply of 100,000 characters', async () => {
    service.provider.script({ kind: 'reply', text: 'a'.repeat(100_000) });
    expect((await service.requestReply()).json.data.reply).toHaveLength(100_000);
  });

  it('sends the provider no headers from environment variables that are not in the configuration', async () => {
    const variables = { OPENAI_ORG_ID: 'org-x', OPENAI_PROJECT_ID: 'proj-x', OPENAI_ADMIN_KEY: 'admin-x' };
    Object.assign(process.env, variables);
    try {
      const options = {
        apiKey: PROVIDER_KEY,
        baseUrl: service.provider.url,
        model: 'm',
        timeoutMs: PROVIDER_TIMEOUT_MS,
        maxOutputTokens: 100,
      };
      await createOpenAiProvider(options).write([{ role: 'user', content: 'Hi' }]);
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
    }
    expect(JSON.stringify(service.lastRequest().headers)).not.toMatch(/org-x|proj-x|admin-x/);
  });
});

describe('the service returns 502', () => {
  it.each(FAILURES)(
    'if the provider responds with %s',
    async (_, behaviour, outcome, error, attemptCount) => {
      service.provider.script(behaviour);
      const response = await service.requestReply({ messages: [createTurn('buyer', 'Hi')] });
      expect(response.status).toBe(502);
      expect(response.json).toEqual({
        success: false,
        message: expect.any(String),
        code: 'upstream_failed',
        request_id: expect.any(String),
        source: 'text_provider',
      });
      expect(service.provider.requests).toHaveLength(attemptCount);
      expect(await service.readLastReply()).toMatchObject({
        outcome,
        error,
        reply: null,
        model: 'test-model',
        prompt_version_id: service.promptVersionId,
        messages: [createTurn('buyer', 'Hi')],
        request_id: response.json.request_id,
      });
      await expectNoSecrets(response);
    },
  );

  it('for a discarded reply, whose tokens are recorded all the same', async () => {
    service.provider.script({ kind: 'length' });
    expect((await service.requestReply()).status).toBe(502);
    expect(await service.readLastReply()).toMatchObject({ input_tokens: 321, output_tokens: 45 });
  });

  it('if the provider is unreachable, which is not mistaken for an unreachable database', async () => {
    const stoppedProvider = await startTextProviderStandIn();
    const serviceWithoutProvider = await startTestService({
      OPENAI_API_KEY: PROVIDER_KEY,
      OPENAI_BASE_URL: stoppedProvider.url,
      OPENAI_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
    });
    await stoppedProvider.close();
    await setPrompt(serviceWithoutProvider.app.services.db, TEST_ACTOR, { shopName: SHOP_NAME, text: 'P' });
    const { status, json } = await serviceWithoutProvider.send(MESSAGE_PATH, {
      body: { shop_name: SHOP_NAME },
    });
    expect([status, json.code]).toEqual([502, 'upstream_failed']);
    await serviceWithoutProvider.close();
  });

  it('over tRPC too, without revealing the cause', async () => {
    service.provider.script({ kind: 'status', status: 401 });
    const response = await service.send('/api/trpc/messages.reply', { body: { shop_name: SHOP_NAME } });
    expect([response.status, response.json.error.data.code]).toEqual([502, 'upstream_failed']);
    await expectNoSecrets(response);
  });
});

describe('the service returns 503', () => {
  it('if no provider is configured, after the input has been checked', async () => {
    const bareService = await startTestService();
    const { db } = bareService.app.services;
    await setPrompt(db, TEST_ACTOR, { shopName: SHOP_NAME, text: 'P' });
    expect((await bareService.send(MESSAGE_PATH, { body: { shop_name: 'Nobody' } })).status).toBe(422);
    const { status, json } = await bareService.send(MESSAGE_PATH, { body: { shop_name: SHOP_NAME } });
    expect(status).toBe(503);
    expect(json).toMatchObject({ code: 'upstream_not_configured', source: 'text_provider' });
    expect(await bareService.database.query('SELECT outcome, error, reply FROM replies')).toEqual([
      { outcome: 'failed', error: 'not_configured', reply: null },
    ]);
    const logEntries = bareService
      .readLog()
      .split('\n')
      .filter((line) => line.includes('"msg":"upstream_not_configured"'))
      .map((line) => JSON.parse(line));
    expect(logEntries).toEqual([
      {
        level: 'warn',
        time: expect.any(String),
        requestId: json.request_id,
        route: MESSAGE_PATH,
        msg: 'upstream_not_configured',
      },
    ]);
    expect(bareService.readLog()).not.toMatch(/"level":"error"/);
    await bareService.close();
  });
});

describe('the service returns 504', () => {
  let impatientService: MessageService;
  beforeAll(async () => {
    impatientService = await startMessageService({ OPENAI_TIMEOUT_MS: '300' });
  });
  afterAll(() => impatientService.close());

  it.each<ProviderBehaviour>([{ kind: 'slow', ms: 60_000 }, { kind: 'stalled-body' }])(
    'if the provider is too slow: %j',
    async (behaviour) => {
      impatientService.provider.script(behaviour);
      const response = await impatientService.requestReply();
      expect(response.status).toBe(504);
      expect(response.json).toMatchObject({ code: 'upstream_timeout', source: 'text_provider' });
      expect(await impatientService.readLastReply()).toMatchObject({ outcome: 'failed', error: 'timeout' });
      await expectNoSecrets(response, impatientService);
    },
  );
});
