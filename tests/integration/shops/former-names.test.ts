import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPrompt } from '../../../src/server/messages/prompts/service';
import { createShop } from '../../../src/server/shops/account-service';
import { type MessageService, ORDER, startMessageService } from '../../support/service/message-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { TEST_ACTOR } from '../../support/service/test-service';

let service: MessageService;
let admin: SignedInUser;
let nameCount = 0;

beforeAll(async () => {
  service = await startMessageService();
  admin = await createSignedInUser(service, 'admin');
});
beforeEach(() => service.resetProvider());
afterAll(() => service.close());

const getDb = () => service.app.services.db;
const makeName = () => `Name ${++nameCount}`;
const makeShop = async (name = makeName()) => (await createShop(getDb(), TEST_ACTOR, { name })).id;
const renameShop = (id: number, name: string) => admin.call('shops.update', { id, name });
const savePrompt = (shopName: string, text: string, draft = false) =>
  setPrompt(getDb(), TEST_ACTOR, { shopName, text, draft });
const readLastSystemMessage = () => service.lastRequest().body.messages[0]!.content;
const firstProblemOf = (response: { error: { problems: { path: string; message: string }[] } | null }) =>
  response.error?.problems[0];

describe('a shop that is renamed', () => {
  it('keeps its prompt and its orders under every name that it has had', async () => {
    const names = [makeName(), makeName(), makeName()] as const;
    const id = await makeShop(names[0]);
    await savePrompt(names[0], 'You answer kindly.');
    await service.importRows([{ ...ORDER, tracking_number: undefined }], { account_id: id });
    expect((await renameShop(id, names[1])).status).toBe(200);
    expect((await renameShop(id, names[2])).data.former_names).toEqual([names[1], names[0]]);
    for (const shop_name of [...names, ` ${names[0]} `]) {
      const response = await service.requestReply({ shop_name, order_number: ORDER.receipt_id });
      expect(response.status, shop_name).toBe(200);
      expect(readLastSystemMessage()).toContain('You answer kindly.');
      expect(readLastSystemMessage()).toContain('Fox Sticker');
      expect(response.json.data.warnings).toEqual([]);
    }
    const { prompts } = (await admin.call('prompts.list')).data;
    expect(prompts.filter((prompt: { shop_id: number }) => prompt.shop_id === id)).toEqual([
      expect.objectContaining({ shop_name: names[2], versions: 1 }),
    ]);
    const replies = (await admin.call('replies.list', { shop_name: names[2] })).data.replies;
    expect(replies).toHaveLength(4);
  });

  it('gets the prompt versions that are set under a former name, and uses them under its current name', async () => {
    const [formerName, currentName] = [makeName(), makeName()];
    const id = await makeShop(formerName);
    await savePrompt(formerName, 'One.');
    await renameShop(id, currentName);
    expect(await savePrompt(formerName, 'Two.')).toMatchObject({ shopName: currentName, version: 2 });
    await service.requestReply({ shop_name: currentName });
    expect(readLastSystemMessage()).toContain('Two.');
    const readVersions = async (shop_name: string) =>
      (await admin.call('prompts.versions', { shop_name })).data;
    expect(await readVersions(formerName)).toMatchObject({
      shop_name: currentName,
      versions: [{ version: 2 }, { version: 1 }],
    });
    expect(await readVersions(currentName)).toEqual(await readVersions(formerName));
  });

  it('can take its former name back', async () => {
    const [firstName, secondName] = [makeName(), makeName()];
    const id = await makeShop(firstName);
    await renameShop(id, secondName);
    expect((await renameShop(id, firstName)).data).toMatchObject({
      name: firstName,
      former_names: [secondName],
    });
  });
});

describe('a former name', () => {
  it('is refused for other shops, and the message says whose it was', async () => {
    const [formerName, currentName] = [makeName(), makeName()];
    const id = await makeShop(formerName);
    await renameShop(id, currentName);
    const expectedProblem = {
      path: 'name',
      message: `was the name of shop ${id}, and requests that use it still reach that shop; choose another`,
    };
    expect(firstProblemOf(await admin.call('shops.create', { name: formerName }))).toEqual(expectedProblem);
    expect(firstProblemOf(await renameShop(await makeShop(), formerName))).toEqual(expectedProblem);
  });
});

describe('a prompt for a name that no shop has', () => {
  it('works under that name, and becomes the prompt of a shop that is created with or renamed to that name', async () => {
    for (const giveName of [
      (name: string) => makeShop(name),
      async (name: string) => {
        const id = await makeShop();
        expect((await renameShop(id, name)).status).toBe(200);
        return id;
      },
    ]) {
      const name = makeName();
      await savePrompt(name, `Prompt of ${name}.`);
      expect((await service.requestReply({ shop_name: name })).status).toBe(200);
      const id = await giveName(name);
      const laterName = makeName();
      await renameShop(id, laterName);
      await service.requestReply({ shop_name: laterName });
      expect(readLastSystemMessage()).toContain(`Prompt of ${name}.`);
    }
  });

  it('keeps a shop that already has a prompt from taking that name', async () => {
    const [ownName, nameWithPrompt] = [makeName(), makeName()];
    const id = await makeShop(ownName);
    await savePrompt(ownName, 'Own.');
    await savePrompt(nameWithPrompt, 'Waiting.');
    expect(firstProblemOf(await renameShop(id, nameWithPrompt))).toEqual({
      path: 'name',
      message: 'already has a prompt stored under it, and this shop has a prompt too; choose another',
    });
  });

  it('is adopted by a shop with that name even if both are created at the same time', async () => {
    for (let n = 0; n < 10; n++) {
      const name = makeName();
      const [id] = await Promise.all([makeShop(name), savePrompt(name, 'Raced.')]);
      const [row] = await service.database.query('SELECT shop_name FROM prompts WHERE shop_id = $1', [id]);
      expect(row, name).toEqual({ shop_name: null });
    }
  });
});

describe('setting a prompt', () => {
  it('publishes it immediately, unless it is saved as a draft', async () => {
    const name = makeName();
    const setText = async (text: string, draft?: boolean) =>
      (await admin.call('prompts.set', { shop_name: ` ${name} `, text, draft })).data;
    expect(await setText('Live.')).toMatchObject({ version: 1, state: 'published' });
    expect(await setText('Later.', true)).toMatchObject({ version: 2, state: 'draft' });
    await service.requestReply({ shop_name: name });
    expect(readLastSystemMessage()).toContain('Live.');
  });

  it('refuses a blank name', async () => {
    const response = await admin.call('prompts.set', { shop_name: ' \t', text: 'x' });
    expect([response.status, firstProblemOf(response)]).toEqual([
      422,
      { path: 'shop_name', message: 'must not be empty' },
    ]);
    expect((await service.requestReply({ shop_name: '  ' })).json.errors).toEqual([
      { path: 'shop_name', message: 'must not be empty' },
    ]);
  });
});
