import statusEn from '../../../../messages/en/status.json';
import statusZh from '../../../../messages/zh/status.json';
import type { OrderStatus, TrackingStatus } from '../../core/statuses';

/** The texts in an exported file that are not column names, by language. */
export const EXPORT_TEXTS = {
  en: { sheet: 'Orders', total: 'Total', noCurrency: 'unknown currency', statuses: statusEn },
  zh: { sheet: '订单', total: '合计', noCurrency: '币种不明', statuses: statusZh },
} satisfies Record<
  string,
  {
    sheet: string;
    total: string;
    noCurrency: string;
    statuses: Readonly<Record<OrderStatus | TrackingStatus, string>>;
  }
>;

export type ExportLanguage = keyof typeof EXPORT_TEXTS;
