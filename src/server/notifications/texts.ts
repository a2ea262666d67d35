import type { Locale } from '../core/locales';
import { truncate } from '../core/text/text';
import { RECENT_IMPORT_DAYS } from '../overview/recent-imports';
import { LATE_DAYS, NOT_SCANNED_DAYS, type QueueName } from '../queues/queue';
import { type Alert, KEY_EXPIRY_WARNING_DAYS } from './kind';

/** The maximum number of shops that a message names, and the maximum length of each name. Chats limit messages to a few kilobytes. */
const MAX_NAMED_SHOPS = 5;
const MAX_NAME_LENGTH = 60;

/** Returns the names of the first few shops, shortened, and how many others there are. */
export function namedShops(shopNames: readonly string[]): { names: string[]; otherCount: number } {
  const names = shopNames.slice(0, MAX_NAMED_SHOPS).map((name) => truncate(name, MAX_NAME_LENGTH));
  return { names, otherCount: shopNames.length - names.length };
}

/** The texts of messages in one language. */
export interface Texts {
  /** Says which shops a message covers, naming the first few. */
  scope(shopNames: readonly string[]): string;
  /** The end of a list of shops: those that are not named. */
  moreShops(count: number): string;
  /** The title of a summary. `parts` are what is most urgent, in order of urgency; empty if nothing needs attention. */
  summary(day: string, parts: readonly string[]): string;
  nothingToReport: string;
  /** A figure in the title of a summary. */
  titleFigure: Record<QueueName, (count: number) => string>;
  /** A line of a summary. */
  queue: Record<QueueName, (count: number) => string>;
  failedImports(count: number): string;
  importsWithWarnings(count: number): string;
  missingStatistics(day: string, shopNames: string): string;
  expiringKey(name: string, day: string): string;
  alert: Record<Alert, { title(count: number): string; intro: string; linkText: string }>;
  order(orderNumber: string, shopName: string): string;
  failedImport(fileName: string | null, shopName: string | null): string;
  /** A shop and its day without statistics. */
  shopDay(shopName: string, day: string): string;
  moreEntries(count: number): string;
  test: { title: string; intro: string };
  footer: { text: string; settings: string; unsubscribe: string };
}

const orderCountText = (count: number) => (count === 1 ? '1 order' : `${count} orders`);
const isOrAre = (count: number) => (count === 1 ? 'is' : 'are');
const importCountText = (count: number) => (count === 1 ? '1 import' : `${count} imports`);

const en: Texts = {
  scope: (shopNames) => {
    const { names, otherCount } = namedShops(shopNames);
    if (names.length === 0) return 'In all shops:';
    return otherCount > 0 ? `In ${names.join(', ')} and ${otherCount} more:` : `In ${names.join(', ')}:`;
  },
  moreShops: (count) => `${count} more`,
  summary: (day, parts) => `${day}: ${parts.length === 0 ? 'nothing needs attention' : parts.join(', ')}`,
  nothingToReport: 'No order, import or report needs attention.',
  titleFigure: {
    to_ship: (count) => `${count} to ship`,
    late: (count) => `${count} late`,
    exception: (count) => (count === 1 ? '1 exception' : `${count} exceptions`),
    delivery_failed: (count) => (count === 1 ? '1 failed delivery' : `${count} failed deliveries`),
    not_scanned: (count) => `${count} not scanned`,
    to_review: (count) => (count === 1 ? '1 reply to review' : `${count} replies to review`),
    unmatched: (count) => (count === 1 ? '1 unmatched callback' : `${count} unmatched callbacks`),
  },
  queue: {
    to_ship: (count) => `${orderCountText(count)} to ship`,
    late: (count) => `${orderCountText(count)} late: paid ${LATE_DAYS} days ago or earlier and not shipped`,
    exception: (count) => `${orderCountText(count)} with a shipment exception`,
    delivery_failed: (count) => `${orderCountText(count)} with a failed delivery`,
    not_scanned: (count) =>
      `${orderCountText(count)} whose label has not been scanned for ${NOT_SCANNED_DAYS} days`,
    to_review: (count) => `${orderCountText(count)} with a reply to review`,
    unmatched: (count) =>
      count === 1
        ? '1 tracking number that no order has (all shops)'
        : `${count} tracking numbers that no order has (all shops)`,
  },
  failedImports: (count) => `${importCountText(count)} failed in the last ${RECENT_IMPORT_DAYS} days`,
  importsWithWarnings: (count) =>
    `${importCountText(count)} with warnings in the last ${RECENT_IMPORT_DAYS} days`,
  missingStatistics: (day, shopNames) => `No statistics for ${day}: ${shopNames}`,
  expiringKey: (name, day) => `The API key “${name}” expires on ${day}`,
  alert: {
    late: {
      title: (count) => `${orderCountText(count)} ${isOrAre(count)} late`,
      intro: `Paid ${LATE_DAYS} days ago or earlier and not shipped. New since the last message:`,
      linkText: 'All late orders',
    },
    exception: {
      title: (count) => (count === 1 ? '1 shipment exception' : `${count} shipment exceptions`),
      intro: 'The carrier reported a problem. New since the last message:',
      linkText: 'All exceptions',
    },
    delivery_failed: {
      title: (count) => (count === 1 ? '1 failed delivery' : `${count} failed deliveries`),
      intro: 'The carrier could not deliver. New since the last message:',
      linkText: 'All failed deliveries',
    },
    not_scanned: {
      title: (count) => `${orderCountText(count)} ${isOrAre(count)} not scanned`,
      intro: `Not scanned by the carrier for ${NOT_SCANNED_DAYS} days or more. New since the last message:`,
      linkText: 'All unscanned orders',
    },
    statistics_missing: {
      title: (count) => (count === 1 ? '1 shop without statistics' : `${count} shops without statistics`),
      intro: 'No statistics for these days had arrived by noon of the next day:',
      linkText: 'All missing days',
    },
    import_failed: {
      title: (count) => `${importCountText(count)} failed`,
      intro: 'Nothing was imported. New since the last message:',
      linkText: 'All failed imports',
    },
    key_expiring: {
      title: (count) => (count === 1 ? 'An API key expires soon' : `${count} API keys expire soon`),
      intro: `Programs are refused once their key has expired, so rotate it first. Expiring within ${KEY_EXPIRY_WARNING_DAYS} days:`,
      linkText: 'All API keys',
    },
  },
  order: (orderNumber, shopName) => `Order ${orderNumber}, ${shopName}`,
  failedImport: (fileName, shopName) =>
    [fileName ?? 'Import through the API', shopName].filter((part) => part !== null).join(', '),
  shopDay: (shopName, day) => `${shopName}, ${day}`,
  moreEntries: (count) => `And ${count} more`,
  test: { title: 'Test message from Brickdesk', intro: 'You will receive notifications here.' },
  footer: {
    text: 'You are receiving this because you subscribed to it in Brickdesk.',
    settings: 'Change notification settings',
    unsubscribe: 'Stop these e-mails',
  },
};

const zh: Texts = {
  scope: (shopNames) => {
    const { names, otherCount } = namedShops(shopNames);
    if (names.length === 0) return '全部店铺：';
    return otherCount > 0 ? `${names.join('、')}等 ${shopNames.length} 家店铺：` : `${names.join('、')}：`;
  },
  moreShops: (count) => `另外 ${count} 家店铺`,
  summary: (day, parts) => `${day}：${parts.length === 0 ? '没有待处理事项' : parts.join('，')}`,
  nothingToReport: '目前没有需要处理的订单、导入或报表。',
  titleFigure: {
    to_ship: (count) => `待发货 ${count} 单`,
    late: (count) => `超时未发 ${count} 单`,
    exception: (count) => `物流异常 ${count} 单`,
    delivery_failed: (count) => `投递失败 ${count} 单`,
    not_scanned: (count) => `未上网 ${count} 单`,
    to_review: (count) => `待审核回复 ${count} 条`,
    unmatched: (count) => `未匹配回调 ${count} 条`,
  },
  queue: {
    to_ship: (count) => `待发货 ${count} 单`,
    late: (count) => `超时未发 ${count} 单：付款满 ${LATE_DAYS} 天仍未发货`,
    exception: (count) => `物流异常 ${count} 单`,
    delivery_failed: (count) => `投递失败 ${count} 单`,
    not_scanned: (count) => `未上网 ${count} 单：已有物流单号满 ${NOT_SCANNED_DAYS} 天仍无扫描记录`,
    to_review: (count) => `待审核回复 ${count} 条`,
    unmatched: (count) => `${count} 个物流单号没有对应订单（不分店铺）`,
  },
  failedImports: (count) => `近 ${RECENT_IMPORT_DAYS} 天有 ${count} 次导入失败`,
  importsWithWarnings: (count) => `近 ${RECENT_IMPORT_DAYS} 天有 ${count} 次导入有警告`,
  missingStatistics: (day, shopNames) => `${day}缺少统计数据：${shopNames}`,
  expiringKey: (name, day) => `API 密钥“${name}”将于 ${day} 到期`,
  alert: {
    late: {
      title: (count) => `${count} 个订单超时未发`,
      intro: `付款满 ${LATE_DAYS} 天仍未发货。以下为新增：`,
      linkText: '查看全部超时未发订单',
    },
    exception: {
      title: (count) => `${count} 个订单物流异常`,
      intro: '承运商上报了异常。以下为新增：',
      linkText: '查看全部物流异常',
    },
    delivery_failed: {
      title: (count) => `${count} 个订单投递失败`,
      intro: '承运商未能送达。以下为新增：',
      linkText: '查看全部投递失败订单',
    },
    not_scanned: {
      title: (count) => `${count} 个订单未上网`,
      intro: `已有物流单号满 ${NOT_SCANNED_DAYS} 天仍无扫描记录。以下为新增：`,
      linkText: '查看全部未上网订单',
    },
    statistics_missing: {
      title: (count) => `${count} 家店铺缺少统计数据`,
      intro: '以下日期的统计数据到次日中午仍未收到：',
      linkText: '查看全部缺失日期',
    },
    import_failed: {
      title: (count) => `${count} 次导入失败`,
      intro: '未保存任何数据。以下为新增：',
      linkText: '查看全部失败的导入',
    },
    key_expiring: {
      title: (count) => `${count} 个 API 密钥即将到期`,
      intro: `到期后，使用这些密钥的程序将无法访问，请提前轮换。以下密钥在 ${KEY_EXPIRY_WARNING_DAYS} 天内到期：`,
      linkText: '查看全部 API 密钥',
    },
  },
  order: (orderNumber, shopName) => `订单 ${orderNumber}，${shopName}`,
  failedImport: (fileName, shopName) =>
    [fileName ?? '通过 API 导入', shopName].filter((part) => part !== null).join('，'),
  shopDay: (shopName, day) => `${shopName}，${day}`,
  moreEntries: (count) => `另有 ${count} 项`,
  test: { title: 'Brickdesk 测试消息', intro: '通知会发送到这里。' },
  footer: {
    text: '您在 Brickdesk 中订阅了此通知。',
    settings: '修改通知设置',
    unsubscribe: '退订此邮件',
  },
};

const TEXTS: Record<Locale, Texts> = { en, zh };

/** Returns the texts in one of the pages' languages. */
export const textsIn = (locale: Locale): Texts => TEXTS[locale];
