import type { Locale } from './locale';

/** Every area of messages: a file a language, a namespace of its own. A page names those that it needs. */
export const MESSAGES = {
  account: {
    en: () => import('../../messages/en/account.json'),
    zh: () => import('../../messages/zh/account.json'),
  },
  audit: {
    en: () => import('../../messages/en/audit.json'),
    zh: () => import('../../messages/zh/audit.json'),
  },
  common: {
    en: () => import('../../messages/en/common.json'),
    zh: () => import('../../messages/zh/common.json'),
  },
  order: {
    en: () => import('../../messages/en/order.json'),
    zh: () => import('../../messages/zh/order.json'),
  },
  orders: {
    en: () => import('../../messages/en/orders.json'),
    zh: () => import('../../messages/zh/orders.json'),
  },
  'order-tracking': {
    en: () => import('../../messages/en/order-tracking.json'),
    zh: () => import('../../messages/zh/order-tracking.json'),
  },
  views: {
    en: () => import('../../messages/en/views.json'),
    zh: () => import('../../messages/zh/views.json'),
  },
  overview: {
    en: () => import('../../messages/en/overview.json'),
    zh: () => import('../../messages/zh/overview.json'),
  },
  shell: {
    en: () => import('../../messages/en/shell.json'),
    zh: () => import('../../messages/zh/shell.json'),
  },
  'sign-in': {
    en: () => import('../../messages/en/sign-in.json'),
    zh: () => import('../../messages/zh/sign-in.json'),
  },
  status: {
    en: () => import('../../messages/en/status.json'),
    zh: () => import('../../messages/zh/status.json'),
  },
};

export type Area = keyof typeof MESSAGES;

export type Messages = { [A in Area]: Awaited<ReturnType<(typeof MESSAGES)[A]['en']>>['default'] };

declare module 'next-intl' {
  interface AppConfig {
    Locale: Locale;
    Messages: Messages;
  }
}

/** The messages of these areas in one language. */
export async function loadMessages(locale: Locale, areas: readonly Area[]): Promise<Partial<Messages>> {
  const loaded = await Promise.all(
    areas.map(async (area) => [area, (await MESSAGES[area][locale]()).default] as const),
  );
  return Object.fromEntries(loaded) as Partial<Messages>;
}
