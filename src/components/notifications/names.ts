import { messageKeys } from '../../i18n/message-keys';
import type { Kind, Vendor } from '../../server/notifications/kind';

export const NOTIFICATION_KIND_NAMES = messageKeys('notifications', {
  summary: 'kinds.summary',
  late: 'kinds.late',
  exception: 'kinds.exception',
  delivery_failed: 'kinds.deliveryFailed',
  not_scanned: 'kinds.notScanned',
  statistics_missing: 'kinds.statisticsMissing',
  import_failed: 'kinds.importFailed',
  key_expiring: 'kinds.keyExpiring',
  test: 'kinds.test',
}) satisfies Record<Kind | 'test', string>;

export const VENDOR_NAMES = messageKeys('notifications', {
  email: 'vendors.email',
  wecom: 'vendors.wecom',
  dingtalk: 'vendors.dingtalk',
  slack: 'vendors.slack',
}) satisfies Record<Vendor, string>;
