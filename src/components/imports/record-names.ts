import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';

const RECORD_NAMES = messageKeys('imports', {
  order: 'records.order',
  item: 'records.item',
  shipment: 'records.shipment',
});

/** Returns a function that names a kind of record. */
export function useRecordKindName(): (record: keyof typeof RECORD_NAMES) => string {
  const t = useTranslations('imports');
  return (record) => t(RECORD_NAMES[record]);
}
