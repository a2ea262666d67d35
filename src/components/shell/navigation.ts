import {
  type Icon,
  IconActivityHeartbeat,
  IconBug,
  IconBuildingStore,
  IconChartBar,
  IconChecklist,
  IconFileImport,
  IconFileTime,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconMessages,
  IconPlugConnected,
  IconPuzzle,
  IconReceipt,
  IconTruckDelivery,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react';
import { messageKeys } from '../../i18n/message-keys';
import type { Permission } from '../../server/identity/roles';
import { QUEUES } from '../../server/queues/queue';

/** The labels of the navigation, by page id. */
export const PAGE_NAMES = messageKeys('shell', {
  overview: 'pages.overview',
  queues: 'pages.queues',
  to_ship: 'pages.toShip',
  late: 'pages.late',
  exception: 'pages.exceptions',
  delivery_failed: 'pages.deliveryFailed',
  not_scanned: 'pages.notScanned',
  orders: 'pages.orders',
  import: 'pages.import',
  imports: 'pages.imports',
  tracking: 'pages.tracking',
  parcels: 'pages.parcels',
  callbacks: 'pages.callbacks',
  words: 'pages.words',
  messages: 'pages.messages',
  prompts: 'pages.prompts',
  replies: 'pages.replies',
  statistics: 'pages.statistics',
  shopDays: 'pages.shopDays',
  listings: 'pages.listings',
  missingDays: 'pages.missingDays',
  rewrites: 'pages.rewrites',
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
});

export interface PageLink {
  id: keyof typeof PAGE_NAMES;
  /** Below the prefix; empty for the overview. */
  path: string;
  icon: Icon;
  /** The permission that a role needs to see the page. */
  may?: Permission;
  /** All pages of an area that has several, the first at the area's own path. */
  parts?: readonly PagePart[];
}

export type PagePart = Pick<PageLink, 'id' | 'path' | 'may'>;

/** The pages in the order of daily work. Add a line here and a name above. */
export const DAILY_PAGES: readonly PageLink[] = [
  { id: 'overview', path: '', icon: IconLayoutDashboard, may: 'orders.read' },
  {
    id: 'queues',
    path: '/queues',
    icon: IconChecklist,
    may: 'orders.read',
    parts: QUEUES.map((id, index) => ({ id, path: index === 0 ? '/queues' : `/queues/${id}` })),
  },
  { id: 'orders', path: '/orders', icon: IconReceipt, may: 'orders.read' },
  { id: 'import', path: '/import', icon: IconFileImport, may: 'imports.write' },
  { id: 'imports', path: '/imports', icon: IconFileTime, may: 'imports.read' },
  {
    id: 'tracking',
    path: '/tracking',
    icon: IconTruckDelivery,
    may: 'tracking.read',
    parts: [
      { id: 'parcels', path: '/tracking' },
      { id: 'callbacks', path: '/tracking/callbacks' },
      { id: 'words', path: '/tracking/unmapped' },
    ],
  },
  {
    id: 'messages',
    path: '/messages',
    icon: IconMessages,
    may: 'messages.read',
    parts: [
      { id: 'prompts', path: '/messages' },
      { id: 'replies', path: '/messages/replies' },
    ],
  },
  {
    id: 'statistics',
    path: '/statistics',
    icon: IconChartBar,
    may: 'statistics.read',
    parts: [
      { id: 'shopDays', path: '/statistics' },
      { id: 'listings', path: '/statistics/listings' },
      { id: 'missingDays', path: '/statistics/missing' },
      { id: 'rewrites', path: '/statistics/rewrites' },
      { id: 'statisticsImport', path: '/statistics/import', may: 'statistics.write' },
    ],
  },
  { id: 'catalog', path: '/catalog', icon: IconPuzzle, may: 'catalog.read' },
];

/** The administration pages. */
export const ADMINISTRATION_PAGES: readonly PageLink[] = [
  { id: 'shops', path: '/shops', icon: IconBuildingStore, may: 'orders.read' },
  { id: 'countries', path: '/countries', icon: IconWorld, may: 'orders.read' },
  { id: 'keys', path: '/keys', icon: IconKey, may: 'keys.read' },
  { id: 'clients', path: '/clients', icon: IconPlugConnected, may: 'clients.read' },
  { id: 'people', path: '/people', icon: IconUsers, may: 'users.read' },
  { id: 'audit', path: '/audit', icon: IconHistory, may: 'audit.read' },
  { id: 'records', path: '/records', icon: IconBug, may: 'records.read' },
  { id: 'settings', path: '/settings', icon: IconActivityHeartbeat, may: 'settings.read' },
];
