import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countWaitingStatements } from '../../support/database/test-database';
import {
  type EditForm,
  FORM_FACTORIES,
  type FormFactory,
  makeUniqueName,
} from '../../support/service/edit-forms';
import {
  type NotificationService,
  startNotificationService,
} from '../../support/service/notification-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';

let backOffice: NotificationService;
let ann: SignedInUser;
let bob: SignedInUser;

beforeAll(async () => {
  backOffice = await startNotificationService();
  [ann, bob] = await Promise.all([
    createSignedInUser(backOffice.service, 'owner'),
    createSignedInUser(backOffice.service, 'owner'),
  ]);
});
afterAll(() => backOffice.close());

/** Creates a record that both users may edit, and returns what its form sends. */
const makeForm = (factory: FormFactory) => factory({ backOffice, user: ann });

const saveForm = (
  user: SignedInUser,
  { procedure, fixedInput }: EditForm,
  fields: object,
  shownFields?: object,
) => user.call(procedure, { ...fixedInput, ...fields, ...(shownFields && { shown: shownFields }) });

describe.each(Object.entries(FORM_FACTORIES))('if two users edit %s at the same time', (_, factory) => {
  it('one can save; the other sees who saved and what is stored, and can then save too', async () => {
    const form = await makeForm(factory);
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
    const form = await makeForm(factory);
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
    async (_, factory) => {
      const form = await makeForm(factory);
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
    const { fixedInput, shownFields } = await makeForm(FORM_FACTORIES['a notification channel']!);
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
    const form = await makeForm(FORM_FACTORIES[name]!);
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
  const form = await makeForm(FORM_FACTORIES['a shop']!);
  await saveForm(ann, form, { currency: 'EUR' });
  expect((await saveForm(bob, form, { name: makeUniqueName('Renamed') }, form.shownFields)).status).toBe(200);
  // The values are changed back, so they equal those that the form showed.
  await saveForm(ann, form, { name: form.shownFields.name, currency: form.shownFields.currency });
  expect((await saveForm(bob, form, form.conflictingFields, form.shownFields)).status).toBe(200);
});

it('a conflict tells users if they made the other change themselves', async () => {
  const form = await makeForm(FORM_FACTORIES['a product']!);
  await saveForm(ann, form, form.changedFields, form.shownFields);
  const { error } = await saveForm(ann, form, form.conflictingFields, form.shownFields);
  expect(error!.changed!.by).toEqual({ name: ann.email.split('@')[0], you: true });
});

it('a conflict names nobody if the change is not in the audit log', async () => {
  const { database } = backOffice.service;
  const form = await makeForm(FORM_FACTORIES['a shop']!);
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
