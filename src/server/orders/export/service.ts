import type { Database } from '../../db/client';
import type { OrderFilter } from '../list/schema';
import { exportFilteredOrders } from './export';
import { exportSheet } from './sheet-export';
import type { BuiltInTemplate } from './template-names';
import { narrowFilter, readTemplate } from './template-service';
import type { ExportLanguage } from './texts';

/** A download of orders: in a layout for people, or `raw`, with every field under its name in the API. */
export interface OrdersDownload {
  /** A saved template by its id. */
  template: 'raw' | BuiltInTemplate | number;
  filter: OrderFilter;
  format: 'csv' | 'xlsx';
  language: ExportLanguage;
}

/**
 * Writes the orders of a filter as a file. A template may narrow the filter. Memory does not grow with the number of orders.
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
