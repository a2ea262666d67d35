import type { SheetFormat } from '../../core/spreadsheet/formats';
import type { Database } from '../../db/client';
import type { OrderFilter } from '../filter/schema';
import { exportFilteredOrders } from './order-export-service';
import { exportSheet } from './sheet-export-service';
import type { BuiltInTemplate } from './template-names';
import { narrowFilter, readTemplate } from './template-service';
import type { ExportLanguage } from './texts';

/** Which orders a download contains, and in which form. */
export interface OrdersDownload {
  /** `raw` for every field under its name in the API, a built-in template, or the id of a saved one. */
  template: 'raw' | BuiltInTemplate | number;
  filter: OrderFilter;
  format: SheetFormat;
  language: ExportLanguage;
}

/**
 * Writes the orders that match a filter to a file. A template may narrow the filter. Memory does not grow with the number of
 * orders.
 *
 * @throws ServiceError `not_found` if there is no such template
 */
export async function writeOrdersDownload(
  db: Database,
  { template, filter, format, language }: OrdersDownload,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  if (template === 'raw') return exportFilteredOrders(db.bulkPool, filter, format, write);
  const { layout, filter: templateFilter } = await readTemplate(db, template);
  return exportSheet(
    db.bulkPool,
    { filter: narrowFilter(filter, templateFilter), layout, format, language },
    write,
  );
}
