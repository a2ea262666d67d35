import {
  type Icon,
  IconChartBar,
  IconChecklist,
  IconFileImport,
  IconLayoutDashboard,
  IconMessages,
  IconPuzzle,
  IconReceipt,
  IconSettings,
  IconTruckDelivery,
} from '@tabler/icons-react';
import { messageKeys } from '../../../i18n/message-keys';
import { hasPermission, type Permission } from '../../../server/identity/roles';
import type { Role } from '../../../server/identity/schema';
import { QUEUES } from '../../../server/queues/queue';

/** The message keys of the navigation's labels, by page id. */
export const PAGE_NAMES = messageKeys('shell', {
  overview: 'pages.overview',
  queues: 'pages.queues',
  to_ship: 'pages.toShip',
  late: 'pages.late',
  exception: 'pages.exceptions',
  delivery_failed: 'pages.deliveryFailed',
  not_scanned: 'pages.notScanned',
  to_review: 'pages.toReview',
  unmatched: 'pages.unmatched',
  orders: 'pages.orders',
  import: 'pages.import',
  newImport: 'pages.newImport',
  imports: 'pages.imports',
  tracking: 'pages.tracking',
  shipments: 'pages.shipments',
  callbacks: 'pages.callbacks',
  unknownStatuses: 'pages.unknownStatuses',
  messages: 'pages.messages',
  prompts: 'pages.prompts',
  replies: 'pages.replies',
  statistics: 'pages.statistics',
  shopDays: 'pages.shopDays',
  listings: 'pages.listings',
  missingDays: 'pages.missingDays',
  restatements: 'pages.restatements',
  statisticsImport: 'pages.statisticsImport',
  catalog: 'pages.catalog',
  shops: 'pages.shops',
  countries: 'pages.countries',
  keys: 'pages.keys',
  clients: 'pages.clients',
  people: 'pages.people',
  audit: 'pages.audit',
  records: 'pages.records',
  settings: 'pages.settings',
  system: 'pages.system',
  channels: 'pages.channels',
});

/** A page that the navigation leads to. */
export interface NavigationPage {
  id: keyof typeof PAGE_NAMES;
  /** The path below the prefix; empty for the overview. */
  path: string;
  /** The permission that the page requires. */
  permission?: Permission;
}

/** An entry of the navigation: one page, or an area of several. */
export interface NavigationEntry extends NavigationPage {
  icon: Icon;
  /** The pages of an area. */
  pages?: readonly NavigationPage[];
}

/** The navigation, in the order of a day's work. To add a page, add a line here, its name above, and its text in shell.json. */
export const NAVIGATION: readonly NavigationEntry[] = [
  { id: 'overview', path: '', icon: IconLayoutDashboard, permission: 'orders.read' },
  { id: 'orders', path: '/orders', icon: IconReceipt, permission: 'orders.read' },
  {
    id: 'queues',
    path: '/queues',
    icon: IconChecklist,
    permission: 'orders.read',
    pages: QUEUES.map((id, index) => ({ id, path: index === 0 ? '/queues' : `/queues/${id}` })),
  },
  {
    id: 'tracking',
    path: '/tracking',
    icon: IconTruckDelivery,
    permission: 'tracking.read',
    pages: [
      { id: 'shipments', path: '/tracking' },
      { id: 'callbacks', path: '/tracking/callbacks' },
      { id: 'unknownStatuses', path: '/tracking/unmapped' },
    ],
  },
  {
    id: 'import',
    path: '/import',
    icon: IconFileImport,
    pages: [
      { id: 'newImport', path: '/import', permission: 'imports.write' },
      { id: 'imports', path: '/imports', permission: 'imports.read' },
    ],
  },
  {
    id: 'messages',
    path: '/messages',
    icon: IconMessages,
    permission: 'messages.read',
    pages: [
      { id: 'prompts', path: '/messages' },
      { id: 'replies', path: '/messages/replies' },
    ],
  },
  {
    id: 'statistics',
    path: '/statistics',
    icon: IconChartBar,
    permission: 'statistics.read',
    pages: [
      { id: 'shopDays', path: '/statistics' },
      { id: 'listings', path: '/statistics/listings' },
      { id: 'missingDays', path: '/statistics/missing' },
      { id: 'restatements', path: '/statistics/rewrites' },
      { id: 'statisticsImport', path: '/statistics/import', permission: 'statistics.write' },
    ],
  },
  { id: 'catalog', path: '/catalog', icon: IconPuzzle, permission: 'catalog.read' },
  {
    id: 'settings',
    path: '/shops',
    icon: IconSettings,
    pages: [
      { id: 'shops', path: '/shops', permission: 'orders.read' },
      { id: 'countries', path: '/countries', permission: 'orders.read' },
      { id: 'people', path: '/people', permission: 'users.read' },
      { id: 'keys', path: '/keys', permission: 'keys.read' },
      { id: 'clients', path: '/clients', permission: 'clients.read' },
      { id: 'channels', path: '/settings/notifications', permission: 'channels.write' },
      { id: 'audit', path: '/audit', permission: 'audit.read' },
      { id: 'records', path: '/records', permission: 'records.read' },
      { id: 'system', path: '/settings', permission: 'settings.read' },
    ],
  },
];

/** Returns whether a path is that of a page, or below it; no path is below the overview. */
const isPathOfPage = (currentPath: string, { path }: NavigationPage): boolean =>
  currentPath === path || (path !== '' && currentPath.startsWith(`${path}/`));

/** Returns the page that a path belongs to: of all that match, the most specific one. */
export function pageAt<Page extends NavigationPage>(
  pages: readonly Page[],
  currentPath: string,
): Page | undefined {
  return pages
    .filter((page) => isPathOfPage(currentPath, page))
    .sort((a, b) => b.path.length - a.path.length)[0];
}

/** Returns the entries that a role may see. Each area has only the pages that the role may open, and links to the first of them. */
export function entriesFor(role: Role): NavigationEntry[] {
  const isAllowed = ({ permission }: NavigationPage) => !permission || hasPermission(role, permission);
  return NAVIGATION.filter(isAllowed).flatMap((entry): NavigationEntry[] => {
    if (!entry.pages) return [entry];
    const pages = entry.pages.filter(isAllowed);
    const [firstPage] = pages;
    return firstPage ? [{ ...entry, path: firstPage.path, pages }] : [];
  });
}
