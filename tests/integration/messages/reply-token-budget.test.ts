import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/server/core/days';
import { openDatabase } from '../../../src/server/db/client';
import { reserveTokens, settleTokens } from '../../../src/server/gateway/token-budget-service';
import { updateApiKey } from '../../../src/server/identity/keys/change-service';
import { createApiKey } from '../../../src/server/identity/keys/service';
import { readApiKey } from '../../../src/server/identity/keys/view-service';
import { setPrompt } from '../../../src/server/messages/prompts/service';
import { tryPrompts } from '../../../src/server/messages/prompts/trial-service';
import { avoidEndOfInterval } from '../../support/interval-end';
import {
  MESSAGE_PATH,
  type MessageService,
  PROVIDER_TIMEOUT_MS,
  SHOP_NAME,
  startMessageService,
} from '../../support/service/message-service';
import { TEST_ACTOR } from '../../support/service/test-service';

let service: MessageService;
/** The daily tokens of keys without a budget of their own: two replies leave a remainder that allows a third. */
const BUDGET = 1_000;

beforeAll(async () => {
  service = await startMessageService({ REPLY_TOKENS_PER_DAY: String(BUDGET) });
});
beforeEach(async () => {
  // Tokens that were used before midnight would no longer count after it.
  await avoidEndOfInterval(DAY_MS);
  service.resetProvider();
  await service.database.query('DELETE FROM reply_token_days');
});
afterAll(() => service.close());

/** The number of tokens that the stand-in reports for each reply. */
const TOKENS_PER_REPLY = 321 + 45;

async function createKeyWithBudget(replyTokensPerDay: number | null) {
  const { db } = service.app.services;
  return createApiKey(db, TEST_ACTOR, { name: 'budget', expiresAt: null, replyTokensPerDay });
}

const requestReply = (key: string, headers: Record<string, string> = {}) =>
  service.send(MESSAGE_PATH, { body: { shop_name: SHOP_NAME }, headers: { 'X-Api-Key': key, ...headers } });

const readTokenUsage = async (id: number) => {
  const { used, reserved } = (await readApiKey(service.app.services, id)).reply_tokens;
  return { used, reserved };
};

describe('the daily tokens of a key', () => {
  it('are counted as the provider reports them, and shown with the key', async () => {
    const { id, key } = await createKeyWithBudget(null);
    expect((await requestReply(key)).status).toBe(200);
    expect((await requestReply(key)).status).toBe(200);
    expect(await readTokenUsage(id)).toEqual({ used: 2 * TOKENS_PER_REPLY, reserved: 0 });
  });

  it('are estimated if the provider reports none', async () => {
    const { id, key } = await createKeyWithBudget(null);
    service.provider.script({ kind: 'reply-without-usage', text: 'Hello' });
    await requestReply(key);
    const { used, reserved } = await readTokenUsage(id);
    expect(used).toBeGreaterThan(100);
    expect(reserved).toBe(0);
  });

  it.each([
    { ownBudget: TOKENS_PER_REPLY, budget: TOKENS_PER_REPLY, replyCount: 1 },
    { ownBudget: TOKENS_PER_REPLY + 1, budget: TOKENS_PER_REPLY + 1, replyCount: 2 },
    { ownBudget: null, budget: BUDGET, replyCount: 3 },
  ])(
    'allow $replyCount replies with a budget of $budget, and then cause 429, whatever another key has left',
    async ({ ownBudget, budget, replyCount }) => {
      const [{ id, key }, otherKey] = [
        await createKeyWithBudget(ownBudget),
        await createKeyWithBudget(ownBudget),
      ];
      for (let n = 0; n < replyCount; n++) expect((await requestReply(key)).status).toBe(200);
      const { status, json } = await requestReply(key);
      expect([status, json.code]).toEqual([429, 'rate_limited']);
      expect(json.message).toContain(`its token budget for replies, ${budget} a day`);
      expect((await requestReply(otherKey.key)).status).toBe(200);
      expect(await readTokenUsage(id)).toEqual({ used: replyCount * TOKENS_PER_REPLY, reserved: 0 });
      expect(await readTokenUsage(otherKey.id)).toEqual({ used: TOKENS_PER_REPLY, reserved: 0 });
    },
  );

  it('cause 429 until midnight UTC once they are used up, without a call to the provider', async () => {
    const { id, key } = await createKeyWithBudget(TOKENS_PER_REPLY);
    expect((await requestReply(key)).status).toBe(200);
    const { status, json, headers } = await requestReply(key);
    expect([status, json.code]).toEqual([429, 'rate_limited']);
    expect(json.message).toMatch(
      /^This key has used up its token budget for replies, 366 a day\. Try again after midnight UTC/,
    );
    const waitSeconds = Number(headers.get('retry-after'));
    const secondsToMidnight = (DAY_MS - (Date.now() % DAY_MS)) / 1000;
    expect(Math.abs(waitSeconds - secondsToMidnight)).toBeLessThan(120);
    expect(service.provider.requests).toHaveLength(1);
    expect(await readTokenUsage(id)).toEqual({ used: TOKENS_PER_REPLY, reserved: 0 });
    // Yesterday's usage does not count.
    await service.database.query('UPDATE reply_token_days SET day = day - 1');
    expect((await requestReply(key)).status).toBe(200);
  });

  // At any time, at least one of these zones has a different date than UTC.
  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'are counted per day in UTC, even if the time zone of the database server is %s',
    async (zone) => {
      const { id } = await createKeyWithBudget(null);
      const url = new URL(service.database.url);
      url.searchParams.set('options', `-c TimeZone=${zone}`);
      const db = openDatabase({ url: url.href, poolSize: 1, bulkPoolSize: 1, log: service.app.services.log });
      try {
        const readDay = () => new Date().toISOString().slice(0, 10);
        const dayBefore = readDay();
        const { day } = await reserveTokens(db, { apiKeyId: id }, BUDGET, 300, 30_000);
        expect([dayBefore, readDay()]).toContain(day);
        expect(await readTokenUsage(id)).toEqual({ used: 0, reserved: 300 });
      } finally {
        await db.close();
      }
    },
  );

  it('cause a 429 that is not stored under an Idempotency-Key', async () => {
    const { id, key } = await createKeyWithBudget(0);
    expect((await requestReply(key, { 'Idempotency-Key': 'once' })).status).toBe(429);
    await updateApiKey(service.app.services.db, TEST_ACTOR, id, { replyTokensPerDay: null });
    expect((await requestReply(key, { 'Idempotency-Key': 'once' })).status).toBe(200);
  });

  it('can be none for one key while another has the default', async () => {
    const [{ key: keyWithoutTokens }, { key: keyWithDefault }] = [
      await createKeyWithBudget(0),
      await createKeyWithBudget(null),
    ];
    expect((await requestReply(keyWithoutTokens)).status).toBe(429);
    expect((await requestReply(keyWithDefault)).status).toBe(200);
  });

  it('are exceeded by at most one reply, however many are requested at the same time', async () => {
    const { id } = await createKeyWithBudget(1_000);
    const { db } = service.app.services;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, () => reserveTokens(db, { apiKeyId: id }, 5_000_000, 300, 30_000)),
    );
    const reservations = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value] : [],
    );
    // Each is reserved while the total is below 1,000: at 0, 300, 600 and 900.
    expect(reservations).toHaveLength(4);
    const refusal = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(refusal?.reason.message).toMatch(/reserved for replies being written\. Try again in \d+ s\.$/);
    expect(Number(refusal?.reason.headers['Retry-After'])).toBeLessThanOrEqual(15);
    await Promise.all(reservations.map((reservation) => settleTokens(db, reservation, 200)));
    expect(await readTokenUsage(id)).toEqual({ used: 800, reserved: 0 });
    await expect(reserveTokens(db, { apiKeyId: id }, 5_000_000, 300, 30_000)).resolves.toBeDefined();
  });

  it('are reserved before the provider is called, and released if it is unreachable or refuses', async () => {
    const { id, key } = await createKeyWithBudget(null);
    const usageDuringCalls: Awaited<ReturnType<typeof readTokenUsage>>[] = [];
    service.provider.script({
      kind: 'hang-up',
      beforeHangUp: async () => usageDuringCalls.push(await readTokenUsage(id)),
    });
    expect((await requestReply(key)).status).toBe(502);
    expect(usageDuringCalls.map(({ used, reserved }) => [used, reserved > 0])).toContainEqual([0, true]);
    expect(await readTokenUsage(id)).toEqual({ used: 0, reserved: 0 });
    service.provider.script({ kind: 'status', status: 401 });
    expect((await requestReply(key)).status).toBe(502);
    expect(await readTokenUsage(id)).toEqual({ used: 0, reserved: 0 });
  });
});

describe('tokens that a server had reserved when it crashed', () => {
  /** Does what a server does before it calls the provider. */
  const reserveWithoutSettling = (apiKeyId: number, tokens: number, maxWorkMs = 30_000) =>
    reserveTokens(service.app.services.db, { apiKeyId }, BUDGET, tokens, maxWorkMs);
  const moveClock = (seconds: number) =>
    service.database.query(
      `UPDATE reply_token_days SET reserved_until = reserved_until - make_interval(secs => ${seconds})`,
    );

  it('are released a minute after the time that the reply could have taken, but not before', async () => {
    const { id, key } = await createKeyWithBudget(null);
    await reserveWithoutSettling(id, BUDGET);
    await moveClock(80);
    expect((await requestReply(key)).status).toBe(429);
    expect(await readTokenUsage(id)).toEqual({ used: 0, reserved: BUDGET });
    await moveClock(10);
    expect(await readTokenUsage(id)).toEqual({ used: 0, reserved: 0 });
    expect((await requestReply(key)).status).toBe(200);
    expect(await readTokenUsage(id)).toEqual({ used: TOKENS_PER_REPLY, reserved: 0 });
  });

  it('stay reserved while another reply, which may take longer, is being written', async () => {
    const { id, key } = await createKeyWithBudget(null);
    await reserveWithoutSettling(id, 300, 600_000);
    await reserveWithoutSettling(id, BUDGET);
    await moveClock(90);
    expect((await requestReply(key)).status).toBe(429);
    expect(await readTokenUsage(id)).toEqual({ used: 0, reserved: BUDGET + 300 });
  });

  it('are reserved for as long as the provider may take, if a reply is requested', async () => {
    const { key } = await createKeyWithBudget(null);
    const start = Date.now();
    expect((await requestReply(key)).status).toBe(200);
    const [row] = await service.database.query<{ ms: number }>(
      'SELECT extract(epoch FROM reserved_until)::float8 * 1000 AS ms FROM reply_token_days',
    );
    const endOfWork = row!.ms - 60_000 - PROVIDER_TIMEOUT_MS;
    expect(endOfWork).toBeGreaterThan(start - 1_000);
    expect(endOfWork).toBeLessThan(Date.now() + 1_000);
  });
});

it('trials in the playground share one budget and count against no key', async () => {
  const { services } = service.app;
  const input = { shop_name: SHOP_NAME, messages: [] };
  await tryPrompts(services, TEST_ACTOR, input);
  const rows = await service.database.query('SELECT spender, used::int, reserved::int FROM reply_token_days');
  expect(rows).toEqual([{ spender: 'trials', used: TOKENS_PER_REPLY, reserved: 0 }]);
  await expect(tryPrompts({ ...services, replyTokensPerDay: 1 }, TEST_ACTOR, input)).rejects.toThrow(
    /^All trials together have used up their token budget for replies, 1 a day\./,
  );
});

it('a trial for which the tokens suffice is shown, though there are none left for the other; without either, the reason is', async () => {
  const { services } = service.app;
  await setPrompt(services.db, TEST_ACTOR, { shopName: SHOP_NAME, text: 'You are new.', draft: true });
  const input = { shop_name: SHOP_NAME, messages: [] };
  const trials = await tryPrompts({ ...services, replyTokensPerDay: 1 }, TEST_ACTOR, input);
  const results = [trials.draft!, trials.live!].toSorted((a) => (a.error ? 1 : -1));
  expect(results).toMatchObject([
    { error: null, usage: { input_tokens: 321, output_tokens: 45 } },
    {
      reply: null,
      // Depends on whether the other trial has already been written.
      error: { reason: expect.stringMatching(/^service\.trialTokens(?:Reserved|Used)$/) },
      usage: null,
    },
  ]);
  expect(service.provider.requests).toHaveLength(1);
  await expect(tryPrompts({ ...services, replyTokensPerDay: 1 }, TEST_ACTOR, input)).rejects.toMatchObject({
    code: 'rate_limited',
    reason: { reason: 'service.trialTokensUsed' },
    message:
      'All trials together have used up their token budget for replies, 1 a day. Try again after midnight UTC, or have the budget raised.',
  });
});
