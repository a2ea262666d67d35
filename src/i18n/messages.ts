import compile from 'icu-minify/compile';
import { REASONS } from '../server/core/errors/reasons';
import type { Locale } from './locale';

/** The type of a namespace's messages, with `string` in place of the literal English strings. */
type Texts<T> = { readonly [Name in keyof T]: T[Name] extends string ? string : Texts<T[Name]> };

/** The functions that load the messages of each next-intl namespace by language. A page names the namespaces that it needs. */
export const MESSAGE_LOADERS = {
  account: {
    en: () => import('../../messages/en/identity/account.json'),
    zh: () => import('../../messages/zh/identity/account.json'),
  },
  audit: {
    en: () => import('../../messages/en/audit.json'),
    zh: () => import('../../messages/zh/audit.json'),
  },
  catalog: {
    en: () => import('../../messages/en/catalog.json'),
    zh: () => import('../../messages/zh/catalog.json'),
  },
  clients: {
    en: () => import('../../messages/en/identity/clients.json'),
    zh: () => import('../../messages/zh/identity/clients.json'),
  },
  common: {
    en: () => import('../../messages/en/common.json'),
    zh: () => import('../../messages/zh/common.json'),
  },
  countries: {
    en: () => import('../../messages/en/countries.json'),
    zh: () => import('../../messages/zh/countries.json'),
  },
  csv: {
    en: () => import('../../messages/en/csv.json'),
    zh: () => import('../../messages/zh/csv.json'),
  },
  days: {
    en: () => import('../../messages/en/orders/days.json'),
    zh: () => import('../../messages/zh/orders/days.json'),
  },
  export: {
    en: () => import('../../messages/en/orders/export.json'),
    zh: () => import('../../messages/zh/orders/export.json'),
  },
  import: {
    en: () => import('../../messages/en/orders/import.json'),
    zh: () => import('../../messages/zh/orders/import.json'),
  },
  imports: {
    en: () => import('../../messages/en/orders/imports.json'),
    zh: () => import('../../messages/zh/orders/imports.json'),
  },
  keys: {
    en: () => import('../../messages/en/identity/keys.json'),
    zh: () => import('../../messages/zh/identity/keys.json'),
  },
  messages: {
    en: () => import('../../messages/en/messages.json'),
    zh: () => import('../../messages/zh/messages.json'),
  },
  notifications: {
    en: () => import('../../messages/en/notifications.json'),
    zh: () => import('../../messages/zh/notifications.json'),
  },
  order: {
    en: () => import('../../messages/en/orders/order.json'),
    zh: () => import('../../messages/zh/orders/order.json'),
  },
  'order-status': {
    en: () => import('../../messages/en/orders/order-status.json'),
    zh: () => import('../../messages/zh/orders/order-status.json'),
  },
  'order-tracking': {
    en: () => import('../../messages/en/orders/order-tracking.json'),
    zh: () => import('../../messages/zh/orders/order-tracking.json'),
  },
  orders: {
    en: () => import('../../messages/en/orders/orders.json'),
    zh: () => import('../../messages/zh/orders/orders.json'),
  },
  overview: {
    en: () => import('../../messages/en/overview.json'),
    zh: () => import('../../messages/zh/overview.json'),
  },
  people: {
    en: () => import('../../messages/en/identity/people.json'),
    zh: () => import('../../messages/zh/identity/people.json'),
  },
  queues: {
    en: () => import('../../messages/en/queues.json'),
    zh: () => import('../../messages/zh/queues.json'),
  },
  reasons: {
    // The English messages are the service's own table, so that pages and API use the same sentences.
    en: async () => ({ default: REASONS as Texts<typeof REASONS> }),
    zh: () => import('../../messages/zh/reasons.json'),
  },
  records: {
    en: () => import('../../messages/en/records.json'),
    zh: () => import('../../messages/zh/records.json'),
  },
  reply: {
    en: () => import('../../messages/en/reply.json'),
    zh: () => import('../../messages/zh/reply.json'),
  },
  settings: {
    en: () => import('../../messages/en/settings.json'),
    zh: () => import('../../messages/zh/settings.json'),
  },
  shell: {
    en: () => import('../../messages/en/shell.json'),
    zh: () => import('../../messages/zh/shell.json'),
  },
  shipping: {
    en: () => import('../../messages/en/orders/shipping.json'),
    zh: () => import('../../messages/zh/orders/shipping.json'),
  },
  shops: {
    en: () => import('../../messages/en/shops.json'),
    zh: () => import('../../messages/zh/shops.json'),
  },
  'sign-in': {
    en: () => import('../../messages/en/identity/sign-in.json'),
    zh: () => import('../../messages/zh/identity/sign-in.json'),
  },
  statistics: {
    en: () => import('../../messages/en/statistics.json'),
    zh: () => import('../../messages/zh/statistics.json'),
  },
  status: {
    en: () => import('../../messages/en/status.json'),
    zh: () => import('../../messages/zh/status.json'),
  },
  tracking: {
    en: () => import('../../messages/en/tracking.json'),
    zh: () => import('../../messages/zh/tracking.json'),
  },
  views: {
    en: () => import('../../messages/en/views.json'),
    zh: () => import('../../messages/zh/views.json'),
  },
};

export type Namespace = keyof typeof MESSAGE_LOADERS;

export type Messages = {
  [A in Namespace]: Awaited<ReturnType<(typeof MESSAGE_LOADERS)[A]['en']>>['default'];
};

declare module 'next-intl' {
  interface AppConfig {
    Locale: Locale;
    Messages: Messages;
  }
}

/** Compiles the strings in a table of messages, including nested tables. */
function compileTexts(texts: object): object {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === 'string' ? compile(text) : compileTexts(text),
    ]),
  );
}

const compiledMessages = new Map<string, Promise<object>>();

/** Returns the compiled messages of a namespace in one language; they are compiled once per process. */
function compileNamespace(locale: Locale, namespace: Namespace): Promise<object> {
  const key = `${locale} ${namespace}`;
  const cachedPromise = compiledMessages.get(key);
  if (cachedPromise) return cachedPromise;
  const messagesPromise = MESSAGE_LOADERS[namespace][locale]().then(
    // Converted to plain objects: the compiler's have no prototype, and React passes no such objects to the browser.
    (module): object => JSON.parse(JSON.stringify(compileTexts(module.default))),
  );
  compiledMessages.set(key, messagesPromise);
  return messagesPromise;
}

/** Loads the messages of namespaces in one language. They are compiled, so that browsers need no parser, but typed as strings. */
export async function loadMessages(
  locale: Locale,
  namespaces: readonly Namespace[],
): Promise<Partial<Messages>> {
  const namespaceEntries = await Promise.all(
    namespaces.map(async (namespace) => [namespace, await compileNamespace(locale, namespace)] as const),
  );
  return Object.fromEntries(namespaceEntries) as Partial<Messages>;
}
