import { expect } from 'vitest';
import { readStoredOrder, type StoredOrder } from './stored-orders';
import { startTestService, type TestService } from './test-service';

/** A service that lets tests check what an import has stored. */
export interface ImportService extends TestService {
  /** Imports rows, which must succeed. Returns the counts of new orders, updated orders and inserted items. */
  importAndCount(...rows: Record<string, unknown>[]): Promise<[number, number, number]>;
  /** Returns the stored order with this order number. */
  readOrder(receiptId: string): Promise<StoredOrder>;
  /** Returns one field of each stored item of an order. */
  readItems(receiptId: string, field: string): Promise<unknown[]>;
}

export async function startImportService(): Promise<ImportService> {
  const service = await startTestService();
  const readOrder: ImportService['readOrder'] = (receiptId) => readStoredOrder(service.database, receiptId);
  return {
    ...service,
    async importAndCount(...rows) {
      const { status, json } = await service.importRows(rows);
      expect(status, JSON.stringify(json)).toBe(200);
      return [json.data.new_orders, json.data.updated_orders, json.data.order_items_inserted];
    },
    readOrder,
    readItems: async (receiptId, field) => (await readOrder(receiptId)).items.map((item) => item[field]),
  };
}
