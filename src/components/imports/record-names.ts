import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';

const RECORDS = messageKeys('imports', {
  order: 'records.order',
  item: 'records.item',
  shipment: 'records.shipment',
});

/** Returns a function that names a kind of record. */
export function useRecordName(): (record: keyof typeof RECORDS) => string {
  const t = useTranslations('imports');
  return (record) => t(RECORDS[record]);
}
