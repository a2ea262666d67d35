import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPrompts } from '../../../../src/server/messages/prompts/admin-service';
import { setPrompt } from '../../../../src/server/messages/prompts/service';
import { type MessageService, startMessageService } from '../../../support/service/message-service';
import { TEST_ACTOR } from '../../../support/service/test-service';

let service: MessageService;

beforeAll(async () => {
  service = await startMessageService();
});
afterAll(() => service.close());

describe('prompts', () => {
  it('have versions, and one of them is published', async () => {
    const { db } = service.app.services;
    const setPromptText = (text: string, draft?: boolean) =>
      setPrompt(db, TEST_ACTOR, { shopName: 'Versions', text, draft });
    expect(await setPromptText('one')).toMatchObject({
      shopName: 'Versions',
      version: 1,
      state: 'published',
    });
    expect(await setPromptText('two', true)).toMatchObject({ version: 2, state: 'draft' });
    await service.requestReply({ shop_name: 'Versions' });
    expect(service.lastRequest().body.messages[0]!.content).toMatch(/^one\n/);
    const readPrompt = async () =>
      (await listPrompts(db)).prompts.find((prompt) => prompt.shop_name === 'Versions');
    expect(await readPrompt()).toMatchObject({
      versions: 2,
      published: { text: 'one' },
      draft: { text: 'two' },
    });
    await setPromptText('three');
    await service.requestReply({ shop_name: 'Versions' });
    expect(service.lastRequest().body.messages[0]!.content).toMatch(/^three\n/);
    expect(await readPrompt()).toMatchObject({ versions: 3, published: { version: 3 }, draft: null });
  });

  it('can be set concurrently', async () => {
    const { db } = service.app.services;
    const versions = await Promise.all(
      Array.from({ length: 8 }, (_, n) => setPrompt(db, TEST_ACTOR, { shopName: 'Race', text: `t${n}` })),
    );
    expect(versions.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const states = await service.database.query(
      `SELECT state, count(*)::int FROM prompt_versions JOIN prompts p ON p.id = prompt_id
        WHERE p.shop_name = 'Race' GROUP BY state ORDER BY state`,
    );
    expect(states).toEqual([
      { state: 'published', count: 1 },
      { state: 'retired', count: 7 },
    ]);
  });

  it('have their changes in the audit log', async () => {
    const entries = await service.database.query(
      `SELECT actor, action, before, after FROM audit_log WHERE record_type = 'prompt'
          AND after ->> 'shop_name' = 'Versions' ORDER BY id`,
    );
    expect(entries).toEqual([
      {
        actor: 'test',
        action: 'prompt.publish',
        before: { published_version: null },
        after: { shop_name: 'Versions', version: 1, published_version: 1 },
      },
      expect.objectContaining({ action: 'prompt.draft', before: { published_version: 1 } }),
      expect.objectContaining({ action: 'prompt.publish', before: { published_version: 1 } }),
    ]);
  });
});
