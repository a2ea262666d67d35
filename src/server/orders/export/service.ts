import type { Database } from '../../db/client';
import type { OrderFilter } from '../list/schema';
import { exportFilteredOrders } from './export';
import { exportSheet } from './sheet-export';
import type { BuiltInTemplate } from './template-names';
import { narrowFilter, readTemplate } from './template-service';
import type { ExportLanguage } from './texts';

/** A download of orders, in a template's layout or `raw`, with every field under its name in the API. */
export interface OrdersDownload {
  /** A number is the id of a saved template. */
  template: 'raw' | BuiltInTemplate | number;
  filter: OrderFilter;
  format: 'csv' | 'xlsx';
  language: ExportLanguage;
}

/**
 * Writes the orders that match a filter to a file. A template may narrow the filter. Memory does not grow with the number of orders.
 *
 * @throws ServiceError `not_found` if there is no such template
 */
export async function writeOrdersDownload(
  db: Database,
  { template, filter, format, language }: OrdersDownload,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  if (template === 'raw') return exportFilteredOrders(db.bulkPool, filter, format, write);
  const { layout, filter: own } = await readTemplate(db, template);
  return exportSheet(db.bulkPool, { filter: narrowFilter(filter, own), layout, format, language }, write);
}
