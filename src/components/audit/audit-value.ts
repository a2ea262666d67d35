import { useFormatter, useTranslations } from 'next-intl';
import { LOCALE_NAMES } from '../../i18n/locale';
import type { AuditField } from '../../server/audit/actions';
import { ROLE_NAMES } from '../identity/role-names';
import { OPERATION_NAMES } from '../keys/operation-names';
import { NOTIFICATION_KIND_NAMES, VENDOR_NAMES } from '../notifications/names';
import { QUEUE_NAMES } from '../queues/queue-names';
import { type Status, useStatusName } from '../ui/value/status-badge';
import { isInstant } from '../ui/value/time/instant-field';

/** Returns a function that returns the name of a value, or the value itself if it is not in `names`. */
const createNameFunction =
  <Name extends string>(names: Readonly<Record<string, Name>>, t: (name: Name) => string) =>
  (value: string): string =>
    Object.hasOwn(names, value) ? t(names[value]!) : value;

/** Returns a function that formats a field's value for readers. */
export function useAuditValueFormatter(): (field: AuditField, value: unknown) => string {
  const t = useTranslations('audit');
  const common = useTranslations('common');
  const keys = useTranslations('keys');
  const notifications = useTranslations('notifications');
  const format = useFormatter();
  const statusName = useStatusName();
  const statusNameOf = (value: string) => statusName(value as Status);
  const nameFunctions: Partial<Record<AuditField, (value: string) => string>> = {
    status: statusNameOf,
    tracking_status: statusNameOf,
    shipment_status: statusNameOf,
    queue: createNameFunction(QUEUE_NAMES, common),
    role: createNameFunction(ROLE_NAMES, common),
    locale: createNameFunction(LOCALE_NAMES, (name) => name),
    scopes: createNameFunction(OPERATION_NAMES, keys),
    kinds: createNameFunction(NOTIFICATION_KIND_NAMES, notifications),
    vendor: createNameFunction(VENDOR_NAMES, notifications),
  };
  return (field, value) => {
    const isEmpty = value === null || value === undefined || value === '';
    if (isEmpty || (Array.isArray(value) && value.length === 0)) {
      // A channel without chosen shops reports on all of them.
      if (field === 'shop_ids') return t('allShops');
      return field === 'assigned_to' ? t('nobody') : t('nothing');
    }
    if (typeof value === 'boolean') return value ? t('yes') : t('no');
    if (typeof value === 'number') return format.number(value, { useGrouping: false });
    const nameOf = nameFunctions[field] ?? ((text: string) => text);
    if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
      return format.list(
        value.map((item) => nameOf(String(item))),
        { style: 'narrow' },
      );
    if (typeof value !== 'string') return JSON.stringify(value, null, 2);
    if (isInstant(field, value))
      return format.dateTime(new Date(value), { dateStyle: 'medium', timeStyle: 'short' });
    return nameOf(value);
  };
}
