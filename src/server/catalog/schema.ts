import '../core/errors/validation';
import { z } from 'zod';

/** A product's code, its SKU. */
const productCode = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Product code (SKU)', examples: ['HD-001'] });

/** Distinct codes sorted by code point, without those of archived products. */
export const productCodeList = z.array(productCode).meta({
  id: 'ProductCodes',
  description: 'Product codes, distinct and sorted',
  examples: [['HD-001', 'HD-002']],
});

const categoryName = z.string().min(1).max(100);

/** Category names in their stored order. */
export const categoryNameList = z.array(categoryName).meta({
  id: 'CategoryNames',
  description: 'Category names',
  examples: [['head', 'body', 'hair', 'leg', 'brick']],
});

/** The categories that have their own path in the API. */
export const BUILT_IN_CATEGORIES = ['head', 'body', 'hair', 'leg', 'brick'] as const;
