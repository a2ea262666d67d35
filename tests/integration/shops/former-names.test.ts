import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPrompt } from '../../../src/server/messages/prompts/service';
import { createShop } from '../../../src/server/shops/account-service';
import { type MessageService, ORDER, startMessageService } from '../../support/service/message-service';
import { type SignedIn, signedInAs } from '../../support/service/signed-in';
import { TEST_ACTOR } from '../../support/service/test-service';

let service: MessageService;
let admin: SignedIn;
let serial = 0;

beforeAll(async () => {
  service = await startMessageService();
  admin = await signedInAs(service, 'admin');
});
beforeEach(() => service.resetProvider());
afterAll(() => service.close());

const db = () => service.app.services.db;
const newName = () => `Name ${++serial}`;
const makeShop = async (name = newName()) => (await createShop(db(), TEST_ACTOR, { name })).id;
const rename = (id: number, name: string) => admin.call('shops.update', { id, name });
const savePrompt = (shopName: string, text: string, draft = false) =>
  setPrompt(db(), TEST_ACTOR, { shopName, text, draft });
const systemText = () => service.lastRequest().body.messages[0]!.content;
const firstProblem = (response: { error: { problems: { path: string; message: string }[] } | null }) =>
  response.error?.problems[0];

describe('a shop that is renamed', () => {
  it('keeps its prompt and its orders under every name it ever had', async () => {
    const names = [newName(), newName(), newName()] as const;
    const id = await makeShop(names[0]);
    await savePrompt(names[0], 'You answer kindly.');
    await service.importRows([{ ...ORDER, tracking_number: undefined }], { account_id: id });
    expect((await rename(id, names[1])).status).toBe(200);
    expect((await rename(id, names[2])).data.former_names).toEqual([names[1], names[0]]);
    for (const shop_name of [...names, ` ${names[0]} `]) {
      const response = await service.ask({ shop_name, order_number: ORDER.receipt_id });
      expect(response.status, shop_name).toBe(200);
      expect(systemText()).toContain('You answer kindly.');
      expect(systemText()).toContain('Fox Sticker');
      expect(response.json.data.warnings).toEqual([]);
    }
    const { prompts } = (await admin.call('prompts.list')).data;
    expect(prompts.filter((prompt: { shop_id: number }) => prompt.shop_id === id)).toEqual([
      expect.objectContaining({ shop_name: names[2], versions: 1 }),
    ]);
    const replies = (await admin.call('replies.list', { shop_name: names[2] })).data.replies;
    expect(replies).toHaveLength(4);
  });

  it('gets the versions that are set under a former name, and uses them under its current one', async () => {
    const [before, after] = [newName(), newName()];
    const id = await makeShop(before);
    await savePrompt(before, 'One.');
    await rename(id, after);
    expect(await savePrompt(before, 'Two.')).toMatchObject({ shopName: after, version: 2 });
    await service.ask({ shop_name: after });
    expect(systemText()).toContain('Two.');
    const read = async (shop_name: string) => (await admin.call('prompts.versions', { shop_name })).data;
    expect(await read(before)).toMatchObject({
      shop_name: after,
      versions: [{ version: 2 }, { version: 1 }],
    });
    expect(await read(after)).toEqual(await read(before));
  });

  it('can take its former name back', async () => {
    const [first, second] = [newName(), newName()];
    const id = await makeShop(first);
    await rename(id, second);
    expect((await rename(id, first)).data).toMatchObject({ name: first, former_names: [second] });
  });
});

describe('a former name', () => {
  it('is refused for every other shop, and the message says whose it was', async () => {
    const [before, after] = [newName(), newName()];
    const id = await makeShop(before);
    await rename(id, after);
    const expected = {
      path: 'name',
      message: `was the name of shop ${id}, and requests that use it still reach that shop; choose another`,
    };
    expect(firstProblem(await admin.call('shops.create', { name: before }))).toEqual(expected);
    expect(firstProblem(await rename(await makeShop(), before))).toEqual(expected);
  });
});

describe('a prompt for a name that no shop has', () => {
  it('works under that name, and becomes the prompt of a shop that is created with or renamed to it', async () => {
    for (const giveName of [
      (name: string) => makeShop(name),
      async (name: string) => {
        const id = await makeShop();
        expect((await rename(id, name)).status).toBe(200);
        return id;
      },
    ]) {
      const name = newName();
      await savePrompt(name, `Prompt of ${name}.`);
      expect((await service.ask({ shop_name: name })).status).toBe(200);
      const id = await giveName(name);
      const later = newName();
      await rename(id, later);
      await service.ask({ shop_name: later });
      expect(systemText()).toContain(`Prompt of ${name}.`);
    }
  });

  it('does not let a shop that already has a prompt take its name', async () => {
    const [ownName, waitingName] = [newName(), newName()];
    const id = await makeShop(ownName);
    await savePrompt(ownName, 'Own.');
    await savePrompt(waitingName, 'Waiting.');
    expect(firstProblem(await rename(id, waitingName))).toEqual({
      path: 'name',
      message: 'already has a prompt of its own, and so does this shop; choose another',
    });
  });

  it('is adopted whether it or the shop is created first', async () => {
    for (let n = 0; n < 10; n++) {
      const name = newName();
      const [id] = await Promise.all([makeShop(name), savePrompt(name, 'Raced.')]);
      const [row] = await service.database.query('SELECT shop_name FROM prompts WHERE shop_id = $1', [id]);
      expect(row, name).toEqual({ shop_name: null });
    }
  });
});

describe('setting a prompt', () => {
  it('publishes it immediately, unless it is saved as a draft', async () => {
    const name = newName();
    const set = async (text: string, draft?: boolean) =>
      (await admin.call('prompts.set', { shop_name: ` ${name} `, text, draft })).data;
    expect(await set('Live.')).toMatchObject({ version: 1, state: 'published' });
    expect(await set('Later.', true)).toMatchObject({ version: 2, state: 'draft' });
    await service.ask({ shop_name: name });
    expect(systemText()).toContain('Live.');
  });

  it('refuses a blank name', async () => {
    const response = await admin.call('prompts.set', { shop_name: ' \t', text: 'x' });
    expect([response.status, firstProblem(response)]).toEqual([
      422,
      { path: 'shop_name', message: 'must not be empty' },
    ]);
    expect((await service.ask({ shop_name: '  ' })).json.errors).toEqual([
      { path: 'shop_name', message: 'must not be empty' },
    ]);
  });
});
