import { z } from 'zod';
import { csvTextSchema, marketplaceShopIdSchema } from '../../core/fields';
import { dayKind } from '../day-schema';

export const importDaysInput = z.strictObject({ kind: dayKind, csv: csvTextSchema });

export const importDaysOutput = z.object({
  inserted: z.int(),
  updated: z.int(),
  unchanged: z.int(),
});

export const previewDaysOutput = z.object({
  inserted: z.int(),
  stored: z.int(),
  /** The first 20 marketplace shop IDs that no shop has and that have no statistics yet. */
  unknown_shop_ids: z.array(marketplaceShopIdSchema),
  unknown_shop_count: z.int(),
});
