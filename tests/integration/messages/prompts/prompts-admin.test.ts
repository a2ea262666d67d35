import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createShop } from '../../../../src/server/shops/account-service';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';
import {
  PROVIDER_SECRET,
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../../support/stand-ins/text-provider-stand-in';

let provider: TextProviderStandIn;
let service: TestService;
let admin: SignedInUser;
let operator: SignedInUser;
let viewer: SignedInUser;
/** The name of the current test's shop. */
let shopName: string;
let shopCount = 0;

beforeAll(async () => {
  provider = await startTextProviderStandIn();
  service = await startTestService({ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: provider.url });
  admin = await createSignedInUser(service, 'admin');
  operator = await createSignedInUser(service, 'operator');
  viewer = await createSignedInUser(service, 'viewer');
});
afterAll(async () => {
  await service.close();
  await provider.close();
});
beforeEach(() => {
  shopName = `Shop ${++shopCount}`;
  provider.script({ kind: 'reply', text: 'Hello!' });
});

const writeDraft = async (text: string) =>
  (await admin.call('prompts.set', { shop_name: shopName, text, draft: true })).data;
const publishVersion = (id: number) => admin.call('prompts.publish', { id });
const readVersions = async () =>
  (await viewer.call('prompts.versions', { shop_name: shopName })).data.versions;
const requestReply = (members = {}) =>
  service.send('/api/marketplace/message', { body: { shop_name: shopName, messages: [], ...members } });

describe('prompts', () => {
  it('have drafts that change nothing until they are published, and are then used for replies', async () => {
    const firstDraft = await writeDraft('The first.');
    expect(firstDraft).toMatchObject({
      version: 1,
      state: 'draft',
      created_by: admin.email,
      published_at: null,
    });
    expect((await requestReply()).status).toBe(422);
    expect((await publishVersion(firstDraft.id)).data).toMatchObject({ version: 1, state: 'published' });
    expect((await requestReply()).status).toBe(200);
    const secondDraft = await writeDraft('The second.');
    const listedPrompt = (await viewer.call('prompts.list')).data.prompts.find(
      (prompt: { shop_name: string }) => prompt.shop_name === shopName,
    );
    expect(listedPrompt).toMatchObject({ versions: 2, published: { version: 1 }, draft: { version: 2 } });
    await publishVersion(secondDraft.id);
    await requestReply();
    expect(provider.requests.at(-1)!.body.messages[0]!.content).toContain('The second.');
    expect((await readVersions()).map((version: { state: string }) => version.state)).toEqual([
      'published',
      'retired',
    ]);
  });

  it('are rolled back to an old text by a new version, so that the history stays complete', async () => {
    const [firstDraft, secondDraft] = [await writeDraft('One.'), await writeDraft('Two.')];
    await publishVersion(firstDraft.id);
    await publishVersion(secondDraft.id);
    const { data } = await admin.call('prompts.rollBack', { id: firstDraft.id });
    expect(data).toMatchObject({ version: 3, state: 'published', text: 'One.' });
    expect(
      (await readVersions()).map(({ version, state }: { version: number; state: string }) => [
        version,
        state,
      ]),
    ).toEqual([
      [3, 'published'],
      [2, 'retired'],
      [1, 'retired'],
    ]);
    const { entries } = (await admin.call('audit.list', { action: 'prompt.roll_back', limit: 1 })).data;
    expect(entries[0]).toMatchObject({
      actor: admin.email,
      before: { published_version: 2 },
      after: { shop_name: shopName, published_version: 3, text_of: 1 },
    });
  });

  it('have one live version, however many are published at the same time', async () => {
    const drafts: { id: number }[] = [];
    for (let n = 0; n < 6; n++) drafts.push(await writeDraft(`Text ${n}.`));
    const responses = await Promise.all(drafts.map(({ id }) => publishVersion(id)));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const publishedVersions = (await readVersions()).filter(
      (version: { state: string }) => version.state === 'published',
    );
    expect(publishedVersions).toHaveLength(1);
  });

  it('become two versions if two users save at the same time, but one of the users gets 409 if both edited the same version', async () => {
    const users = [admin, await createSignedInUser(service, 'admin')];
    const saveConcurrently = (members: object) =>
      Promise.all(
        users.map(({ email, call }) =>
          call('prompts.set', { shop_name: shopName, text: `By ${email}.`, ...members }),
        ),
      );
    const readStates = async () =>
      (await readVersions()).map(({ version, state }: { version: number; state: string }) => [
        version,
        state,
      ]);
    const firstResponses = await saveConcurrently({});
    expect(firstResponses.map(({ data }) => data.version).sort()).toEqual([1, 2]);
    expect(await readStates()).toEqual([
      [2, 'published'],
      [1, 'retired'],
    ]);
    const responses = await saveConcurrently({ shown: { version: 2 } });
    const savedIndex = responses.findIndex(({ status }) => status === 200);
    expect(responses[1 - savedIndex]).toMatchObject({ status: 409, error: { code: 'conflict' } });
    expect(responses[savedIndex]!.data).toMatchObject({
      version: 3,
      text: `By ${users[savedIndex]!.email}.`,
    });
    expect(await readStates()).toEqual([
      [3, 'published'],
      [2, 'retired'],
      [1, 'retired'],
    ]);
  });

  it('cannot be blank, published again when live or retired, or rolled back to a draft', async () => {
    const [firstDraft, secondDraft] = [await writeDraft('One.'), await writeDraft('Two.')];
    await publishVersion(firstDraft.id);
    expect((await publishVersion(firstDraft.id)).status).toBe(422);
    expect((await admin.call('prompts.rollBack', { id: secondDraft.id })).status).toBe(422);
    await publishVersion(secondDraft.id);
    expect((await publishVersion(firstDraft.id)).status).toBe(422);
    expect((await admin.call('prompts.set', { shop_name: shopName, text: '  ' })).status).toBe(422);
  });

  it('have no versions for an unknown shop, and an unknown version results in 404', async () => {
    expect((await publishVersion(2_000_000_000)).status).toBe(404);
    expect((await viewer.call('prompts.versions', { shop_name: 'no such shop' })).data.versions).toEqual([]);
  });

  it('can be read but not changed by operators and viewers, and tried by operators but not by viewers', async () => {
    const { id } = await writeDraft('One.');
    for (const user of [operator, viewer]) {
      expect((await user.call('prompts.set', { shop_name: shopName, text: 'x' })).status).toBe(403);
      expect((await user.call('prompts.publish', { id })).status).toBe(403);
      expect((await user.call('prompts.rollBack', { id })).status).toBe(403);
      expect((await user.call('prompts.list')).status).toBe(200);
    }
    expect((await viewer.call('prompts.try', { shop_name: shopName })).status).toBe(403);
    expect((await operator.call('prompts.try', { shop_name: shopName })).status).toBe(200);
  });
});

describe('the playground', () => {
  const conversation = [{ sender: 'buyer', content: 'Where is my parcel?' }];
  beforeEach(async () => {
    await publishVersion((await writeDraft('You are LIVE.')).id);
    await writeDraft('You are DRAFT.');
  });

  it('runs the draft and the live prompt side by side, and returns tokens, duration and warnings of each', async () => {
    provider.script({
      kind: 'written',
      write: ([systemMessage]) =>
        systemMessage!.content.startsWith('You are DRAFT.') ? 'From the draft.' : 'It costs $99.50.',
    });
    const { data } = await operator.call('prompts.try', { shop_name: shopName, messages: conversation });
    const usage = { input_tokens: 321, output_tokens: 45 };
    const commonFields = { usage, duration_ms: expect.any(Number), error: null };
    expect(data.draft).toMatchObject({ ...commonFields, version: 2, reply: 'From the draft.', warnings: [] });
    expect(data.live).toMatchObject({ ...commonFields, version: 1, warnings: [{ kind: 'amount' }] });
  });

  it('records both replies as trials of the user, separate from replies to API requests', async () => {
    await operator.call('prompts.try', { shop_name: shopName, messages: conversation, order_number: '123' });
    await requestReply({ trial: { by: 'somebody' } });
    const trials = (await viewer.call('replies.list', { shop_name: shopName, kind: 'trial' })).data.replies;
    expect(trials.map((reply: { requested_by: string }) => reply.requested_by)).toEqual([
      operator.email,
      operator.email,
    ]);
    const requestReplies = (await viewer.call('replies.list', { shop_name: shopName, kind: 'request' })).data
      .replies;
    expect(requestReplies).toEqual([expect.objectContaining({ requested_by: null, api_key: 'test key' })]);
  });

  it("records trials in the audit log of the prompt, even if they use its shop's former name", async () => {
    const { id, name } = await createShop(service.app.services.db, TEST_ACTOR, { name: `Stall ${shopName}` });
    await admin.call('prompts.set', { shop_name: name, text: 'Be kind.' });
    await admin.call('shops.update', { id, name: `New ${name}` });
    expect((await operator.call('prompts.try', { shop_name: name, order_number: '123' })).status).toBe(200);
    const readEntries = async (filter: object) =>
      (await admin.call('audit.list', { record_types: ['prompt'], ...filter })).data.entries;
    const [publication] = await readEntries({ action: 'prompt.publish', limit: 1 });
    expect(await readEntries({ record_id: publication.record_id })).toEqual([
      expect.objectContaining({
        action: 'prompt.try',
        actor: operator.email,
        record_name: `New ${name}`,
        after: { shop_name: `New ${name}`, versions: [1], order_number: '123' },
      }),
      publication,
    ]);
  });

  it('shows that one prompt failed, without the provider’s own words, next to the result of the other', async () => {
    provider.script({ kind: 'reply', text: 'Fine.' }, { kind: 'refusal' });
    const { status, data } = await operator.call('prompts.try', {
      shop_name: shopName,
      messages: conversation,
    });
    expect(status).toBe(200);
    const errors = [data.draft, data.live].map(({ error }) => error);
    expect(errors.filter((error) => error === null)).toHaveLength(1);
    expect(JSON.stringify(data)).not.toContain(PROVIDER_SECRET);
  });

  it('tries the live prompt alone if there is no newer draft, and refuses a shop without prompts with 422', async () => {
    const [newestVersion] = await readVersions();
    await publishVersion(newestVersion.id);
    const { data } = await operator.call('prompts.try', { shop_name: shopName });
    expect(data).toMatchObject({ draft: null, live: { version: 2 } });
    expect((await operator.call('prompts.try', { shop_name: 'no such shop' })).status).toBe(422);
  });
});
