import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countWaitingStatements } from '../../support/database/test-database';
import {
  CHANNEL_SETTINGS,
  type NotificationService,
  saveChannel,
  startNotificationService,
} from '../../support/service/notification-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';

let backOffice: NotificationService;
let ann: SignedInUser;
let bob: SignedInUser;
let nameCount = 0;

beforeAll(async () => {
  backOffice = await startNotificationService();
  [ann, bob] = await Promise.all([
    createSignedInUser(backOffice.service, 'owner'),
    createSignedInUser(backOffice.service, 'owner'),
  ]);
});
afterAll(() => backOffice.close());

const createRecord = async (path: string, input: object) => (await ann.call(path, input)).data;
const makeUniqueName = (name: string) => `${name} ${++nameCount}`;

interface Form {
  /** The procedure that saves the form. */
  procedure: string;
  /** What the form sends in addition to its fields. */
  fixedInput: object;
  /** The values that the form showed; for a prompt, only its version. */
  shownFields: Record<string, unknown>;
  /** The fields with one user's change. */
  changedFields: Record<string, unknown>;
  /** The fields with another user's conflicting change. */
  conflictingFields: Record<string, unknown>;
}

/**
 * For each form whose procedure accepts `shown`, a function that creates a record and returns what the form sends. The forms for a
 * user's own account and for a shipment's status are tested at the end.
 */
const FORM_FACTORIES: Record<string, () => Promise<Form>> = {
  'a shop': async () => {
    const { id, name, shop_id, currency, time_zone } = await createRecord('shops.create', {
      name: makeUniqueName('Shop'),
    });
    const shownFields = { name, shop_id, currency, time_zone };
    const [changedFields, conflictingFields] = [
      { ...shownFields, currency: 'EUR' },
      { ...shownFields, currency: 'USD' },
    ];
    return { procedure: 'shops.update', fixedInput: { id }, shownFields, changedFields, conflictingFields };
  },
  'a product': async () => {
    const [firstCategory, secondCategory, thirdCategory] = (await ann.call('catalog.categories')).data;
    const input = { code: makeUniqueName('CODE'), category_id: firstCategory.id };
    const { id, code, category_id, name } = await createRecord('catalog.createProduct', input);
    const shownFields = { code, category_id, name };
    const [changedFields, conflictingFields] = [
      { ...shownFields, category_id: secondCategory.id },
      { ...shownFields, category_id: thirdCategory.id },
    ];
    return {
      procedure: 'catalog.updateProduct',
      fixedInput: { id },
      shownFields,
      changedFields,
      conflictingFields,
    };
  },
  'a category': async () => {
    const name = makeUniqueName('Category');
    const { id } = (await createRecord('catalog.createCategory', { name })).at(-1);
    const [changedFields, conflictingFields] = [{ name: `${name} changed` }, { name: `${name} conflicting` }];
    return {
      procedure: 'catalog.renameCategory',
      fixedInput: { id },
      shownFields: { name },
      changedFields,
      conflictingFields,
    };
  },
  'a user': async () => {
    const { userId: id } = await createSignedInUser(backOffice.service, 'viewer');
    const people = (await ann.call('people.list')).data;
    const { name, role, locale, two_factor_required } = people.find(
      (person: { id: number }) => person.id === id,
    );
    const shownFields = { name, role, locale, two_factor_required };
    const [changedFields, conflictingFields] = [
      { ...shownFields, role: 'operator' },
      { ...shownFields, role: 'admin' },
    ];
    return { procedure: 'people.update', fixedInput: { id }, shownFields, changedFields, conflictingFields };
  },
  'an app': async () => {
    const name = makeUniqueName('Wiki');
    const { client_id } = await createRecord('clients.create', {
      name,
      redirect_uris: ['https://wiki.example/callback'],
      public: true,
    });
    const [changedFields, conflictingFields] = [{ name: `${name} changed` }, { name: `${name} conflicting` }];
    return {
      procedure: 'clients.rename',
      fixedInput: { client_id },
      shownFields: { name },
      changedFields,
      conflictingFields,
    };
  },
  'a key': async () => {
    const { id, name, expires_at, scopes, address_ranges, reply_tokens_per_day } = await createRecord(
      'keys.create',
      {
        name: makeUniqueName('Key'),
        expires_at: '2099-01-01T00:00:00Z',
      },
    );
    const shownFields = { name, expires_at, scopes, address_ranges, reply_tokens_per_day };
    const [changedFields, conflictingFields] = [
      { ...shownFields, expires_at: null },
      { ...shownFields, expires_at: '2098-01-01T00:00:00.000Z' },
    ];
    return { procedure: 'keys.update', fixedInput: { id }, shownFields, changedFields, conflictingFields };
  },
  'an export template': async () => {
    const shownFields = {
      name: makeUniqueName('Template'),
      format: 'csv',
      totals: false,
      columns: [{ column: 'quantity', header: 'Pieces' }, { column: 'receipt_id' }],
      filter: { statuses: ['paid'] },
    };
    const { id } = await createRecord('exports.saveTemplate', shownFields);
    const [changedFields, conflictingFields] = [
      { ...shownFields, columns: [{ column: 'receipt_id' }] },
      { ...shownFields, columns: [{ column: 'quantity' }] },
    ];
    return {
      procedure: 'exports.saveTemplate',
      fixedInput: { id },
      shownFields,
      changedFields,
      conflictingFields,
    };
  },
  'a notification channel': async () => {
    const shownFields = { ...CHANNEL_SETTINGS, name: makeUniqueName('Packing'), kinds: ['summary'] };
    const id = await saveChannel(
      ann,
      { vendor: 'slack', url: backOffice.chat.urls.slack, ...shownFields },
      'team',
    );
    const [changedFields, conflictingFields] = [
      { ...shownFields, send_at: '07:00' },
      { ...shownFields, send_at: '09:00' },
    ];
    return {
      procedure: 'notifications.team.save',
      fixedInput: { id, vendor: 'slack' },
      shownFields,
      changedFields,
      conflictingFields,
    };
  },
  'a note on an unmatched number': async () => {
    const tracking_number = makeUniqueName('UNMATCHED').replace(' ', '');
    await backOffice.service.send('/api/v1/tracks', {
      body: { event: 'x', data: { tracking_number, status: 'in_transit' } },
    });
    const shownFields = { text: 'Sample box' };
    await ann.call('queues.noteUnmatched', { tracking_number, ...shownFields });
    return {
      procedure: 'queues.noteUnmatched',
      fixedInput: { tracking_number },
      shownFields,
      changedFields: { text: 'Sample box for Ann' },
      conflictingFields: { text: null },
    };
  },
  'a prompt': async () => {
    const shop_name = makeUniqueName('Prompted');
    const { version } = await createRecord('prompts.set', { shop_name, text: 'Be kind.' });
    const [changedFields, conflictingFields] = [
      { text: 'Be kind and short.' },
      { text: 'Be kind and long.' },
    ];
    return {
      procedure: 'prompts.set',
      fixedInput: { shop_name },
      shownFields: { version },
      changedFields,
      conflictingFields,
    };
  },
};

const saveForm = (
  user: SignedInUser,
  { procedure, fixedInput }: Form,
  fields: object,
  shownFields?: object,
) => user.call(procedure, { ...fixedInput, ...fields, ...(shownFields && { shown: shownFields }) });

describe.each(Object.entries(FORM_FACTORIES))('if two users edit %s at the same time', (_, makeForm) => {
  it('one can save; the other sees who saved and what is stored, and can then save too', async () => {
    const form = await makeForm();
    const responses = await Promise.all([
      saveForm(ann, form, form.changedFields, form.shownFields),
      saveForm(bob, form, form.conflictingFields, form.shownFields),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const bobWon = responses[1].status === 200;
    const [loser, loserFields, storedFields] = bobWon
      ? [ann, form.changedFields, form.conflictingFields]
      : [bob, form.conflictingFields, form.changedFields];
    const { error } = responses.find(({ status }) => status === 409)!;
    expect(error).toMatchObject({
      code: 'conflict',
      message:
        'This has been changed since it was loaded. Nothing was saved: reload it, then make your change.',
      changed: {
        stored: storedFields,
        by: { name: (bobWon ? bob : ann).email.split('@')[0], you: false },
        at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    const reloadedFields = Object.fromEntries(
      Object.keys(form.shownFields).map((name) => [name, error!.changed!.stored[name]]),
    );
    expect((await saveForm(loser, form, loserFields, reloadedFields)).status).toBe(200);
  });

  it('neither is refused if both make the same change or a request does not send what the form showed', async () => {
    const form = await makeForm();
    expect((await saveForm(ann, form, form.changedFields, form.shownFields)).status).toBe(200);
    expect((await saveForm(bob, form, form.changedFields, form.shownFields)).status).toBe(200);
    expect((await saveForm(bob, form, form.conflictingFields)).status).toBe(200);
  });
});

describe('a save without a change adds nothing to the audit log', () => {
  async function countEntries(): Promise<number> {
    const rows = await backOffice.service.database.query<{ count: number }>(
      'SELECT count(*)::int FROM audit_log',
    );
    return rows[0]!.count;
  }

  // Every save of a prompt is a new version.
  it.each(Object.entries(FORM_FACTORIES).filter(([name]) => name !== 'a prompt'))(
    'in the form of %s',
    async (_, makeForm) => {
      const form = await makeForm();
      const countBefore = await countEntries();
      expect((await saveForm(ann, form, form.shownFields, form.shownFields)).status).toBe(200);
      expect(await countEntries()).toBe(countBefore);
      expect((await saveForm(ann, form, form.changedFields, form.shownFields)).status).toBe(200);
      expect(await countEntries()).toBe(countBefore + 1);
    },
  );

  it("in a user's own profile", async () => {
    const saveProfile = () => ann.call('account.update', { time_zone: 'Europe/Berlin' });
    await saveProfile();
    const countBefore = await countEntries();
    expect((await saveProfile()).status).toBe(200);
    expect(await countEntries()).toBe(countBefore);
  });

  it('except that of a notification channel with a new webhook, whose address the log does not show', async () => {
    const { fixedInput, shownFields } = await FORM_FACTORIES['a notification channel']!();
    const countBefore = await countEntries();
    const input = { ...fixedInput, ...shownFields, url: backOffice.chat.urls.slack };
    expect((await ann.call('notifications.team.save', input)).status).toBe(200);
    expect(await countEntries()).toBe(countBefore + 1);
  });
});

it.each([
  ['an app', `UPDATE oauth_clients SET name = 'Elsewhere' WHERE id::text = $1`],
  ['a notification channel', `UPDATE notification_channels SET send_at = '11:00' WHERE id::text = $1`],
])(
  'saving %s waits for a concurrent change, and is refused once that change is committed',
  async (name, updateSql) => {
    const form = await FORM_FACTORIES[name]!();
    const { client_id, id = client_id } = form.fixedInput as { client_id?: string; id?: number | string };
    const client = await backOffice.service.app.services.db.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(updateSql, [String(id)]);
      const savePromise = saveForm(bob, form, form.changedFields, form.shownFields);
      await expect.poll(() => countWaitingStatements(backOffice.service.database)).toBe(1);
      await client.query('COMMIT');
      expect((await savePromise).status).toBe(409);
    } finally {
      client.release();
    }
  },
);

it('a user can save if somebody else changed only other fields, or changed the values back', async () => {
  const form = await FORM_FACTORIES['a shop']!();
  await saveForm(ann, form, { currency: 'EUR' });
  expect((await saveForm(bob, form, { name: makeUniqueName('Renamed') }, form.shownFields)).status).toBe(200);
  // The values are changed back, so they equal those that the form showed.
  await saveForm(ann, form, { name: form.shownFields.name, currency: form.shownFields.currency });
  expect((await saveForm(bob, form, form.conflictingFields, form.shownFields)).status).toBe(200);
});

it('a conflict tells users if they made the other change themselves', async () => {
  const form = await FORM_FACTORIES['a product']!();
  await saveForm(ann, form, form.changedFields, form.shownFields);
  const { error } = await saveForm(ann, form, form.conflictingFields, form.shownFields);
  expect(error!.changed!.by).toEqual({ name: ann.email.split('@')[0], you: true });
});

it('a conflict names nobody if the change is not in the audit log', async () => {
  const { database } = backOffice.service;
  const form = await FORM_FACTORIES['a shop']!();
  await saveForm(ann, form, { currency: 'EUR' });
  await database.query('UPDATE shops SET currency = $1 WHERE id = $2', [
    'GBP',
    (form.fixedInput as { id: number }).id,
  ]);
  const { error } = await saveForm(bob, form, form.conflictingFields, form.shownFields);
  expect(error!.changed).toMatchObject({ stored: { currency: 'GBP' }, by: null, at: null });
});

it("conflicts are detected for a user's own account and a shipment's status too", async () => {
  const { name } = (await ann.call('account.me')).data;
  await bob.call('people.update', { id: ann.userId, name: 'Ann Lee' });
  const response = await ann.call('account.update', { name: 'Annie', shown: { name } });
  expect([response.status, response.error?.changed?.stored.name]).toEqual([409, 'Ann Lee']);

  const tracking_number = 'GUARD1';
  await backOffice.service.importRows([{ receipt_id: 'G1', tracking_number }]);
  const { status } = (await ann.call('shipments.one', { tracking_number })).data;
  await ann.call('shipments.setStatus', { tracking_number, status: 'delivered' });
  const setStatus = (extraInput?: object) =>
    bob.call('shipments.setStatus', { tracking_number, status: 'exception', ...extraInput });
  const refusal = await setStatus({ shown: { status } });
  expect([refusal.status, refusal.error?.changed]).toMatchObject([
    409,
    { stored: { status: 'delivered' }, by: { name: 'Ann Lee' } },
  ]);
  expect((await setStatus()).status).toBe(200);
});
