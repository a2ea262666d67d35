import { type Icon, IconHistory, IconLayoutDashboard, IconReceipt } from '@tabler/icons-react';
import { messageKeys } from '../../i18n/message-keys';
import type { Permission } from '../../server/identity/roles';

/** The words of the navigation, by the page's id. */
export const PAGE_NAMES = messageKeys('shell', {
  overview: 'pages.overview',
  orders: 'pages.orders',
  audit: 'pages.audit',
});

export interface PageLink {
  id: keyof typeof PAGE_NAMES;
  /** Below the prefix; empty for the overview. */
  path: string;
  icon: Icon;
  /** What a role must allow for the page to be shown. */
  may?: Permission;
}

/** The pages as the day's work goes. Colleagues add a line here and a name above. */
export const DAILY_PAGES: readonly PageLink[] = [
  { id: 'overview', path: '', icon: IconLayoutDashboard, may: 'orders.read' },
  { id: 'orders', path: '/orders', icon: IconReceipt, may: 'orders.read' },
];

/** The pages of those who manage the desk. */
export const ADMINISTRATION_PAGES: readonly PageLink[] = [
  { id: 'audit', path: '/audit', icon: IconHistory, may: 'audit.read' },
];
