import { CHANNEL_SETTINGS, type NotificationService, saveChannel } from './notification-service';
import { createSignedInUser, type SignedInUser } from './signed-in';

/** What a form of the back office sends. */
export interface EditForm {
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

/** Creates a record, as `user`, and returns what its form sends. */
export type FormFactory = (setup: {
  backOffice: NotificationService;
  user: SignedInUser;
}) => Promise<EditForm>;

let nameCount = 0;

/** Returns a name that no other record has. */
export const makeUniqueName = (name: string) => `${name} ${++nameCount}`;

const createRecord = async (user: SignedInUser, path: string, input: object) =>
  (await user.call(path, input)).data;

/**
 * For each form whose procedure accepts `shown`, a function that creates a record and returns what the form sends. The forms for a
 * user's own account and for a shipment's status are not here.
 */
export const FORM_FACTORIES: Record<string, FormFactory> = {
  'a shop': async ({ user }) => {
    const { id, name, shop_id, currency, time_zone } = await createRecord(user, 'shops.create', {
      name: makeUniqueName('Shop'),
    });
    const shownFields = { name, shop_id, currency, time_zone };
    const [changedFields, conflictingFields] = [
      { ...shownFields, currency: 'EUR' },
      { ...shownFields, currency: 'USD' },
    ];
    return { procedure: 'shops.update', fixedInput: { id }, shownFields, changedFields, conflictingFields };
  },
  'a product': async ({ user }) => {
    const [firstCategory, secondCategory, thirdCategory] = (await user.call('catalog.categories')).data;
    const input = { code: makeUniqueName('CODE'), category_id: firstCategory.id };
    const { id, code, category_id, name } = await createRecord(user, 'catalog.createProduct', input);
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
  'a category': async ({ user }) => {
    const name = makeUniqueName('Category');
    const { id } = (await createRecord(user, 'catalog.createCategory', { name })).at(-1);
    const [changedFields, conflictingFields] = [{ name: `${name} changed` }, { name: `${name} conflicting` }];
    return {
      procedure: 'catalog.renameCategory',
      fixedInput: { id },
      shownFields: { name },
      changedFields,
      conflictingFields,
    };
  },
  'a user': async ({ backOffice, user }) => {
    const { userId: id } = await createSignedInUser(backOffice.service, 'viewer');
    const people = (await user.call('people.list')).data;
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
  'an app': async ({ user }) => {
    const name = makeUniqueName('Wiki');
    const { client_id } = await createRecord(user, 'clients.create', {
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
  'a key': async ({ user }) => {
    const { id, name, expires_at, scopes, address_ranges, reply_tokens_per_day } = await createRecord(
      user,
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
  'an export template': async ({ user }) => {
    const shownFields = {
      name: makeUniqueName('Template'),
      format: 'csv',
      totals: false,
      columns: [{ column: 'quantity', header: 'Pieces' }, { column: 'receipt_id' }],
      filter: { statuses: ['paid'] },
    };
    const { id } = await createRecord(user, 'exports.saveTemplate', shownFields);
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
  'a notification channel': async ({ backOffice, user }) => {
    const shownFields = { ...CHANNEL_SETTINGS, name: makeUniqueName('Packing'), kinds: ['summary'] };
    const id = await saveChannel(
      user,
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
  'a note on an unmatched number': async ({ backOffice, user }) => {
    const tracking_number = makeUniqueName('UNMATCHED').replace(' ', '');
    await backOffice.service.send('/api/v1/tracks', {
      body: { event: 'x', data: { tracking_number, status: 'in_transit' } },
    });
    const shownFields = { text: 'Sample box' };
    await user.call('queues.noteUnmatched', { tracking_number, ...shownFields });
    return {
      procedure: 'queues.noteUnmatched',
      fixedInput: { tracking_number },
      shownFields,
      changedFields: { text: 'Sample box for Ann' },
      conflictingFields: { text: null },
    };
  },
  'a prompt': async ({ user }) => {
    const shop_name = makeUniqueName('Prompted');
    const { version } = await createRecord(user, 'prompts.set', { shop_name, text: 'Be kind.' });
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
