import { z } from 'zod';
import { withReason } from '../core/errors/validation';
import {
  csvTextSchema,
  instantSchema,
  nextCursor,
  pageFields,
  requiredText,
  shownFields,
} from '../core/fields';
import { idSchema } from '../core/ids';

const productId = idSchema('type.idProduct').meta({ description: 'Id of a product', examples: [7] });
const categoryId = idSchema('type.idCategory').meta({ description: 'Id of a category', examples: [1] });

// The public lists and the import have the same limits.
const code = requiredText(100);
const categoryName = requiredText(100);
const productName = requiredText(500).nullable();

/** Whether archived products are listed. */
const archivedFilter = z.enum(['no', 'yes', 'all']);

const filter = {
  /** Part of the code or the name; case does not matter. */
  search: requiredText(200).optional(),
  category_id: categoryId.optional(),
  archived: archivedFilter.default('no'),
};

export const productsInput = z.strictObject({ ...filter, ...pageFields }).prefault({});

export const productOutput = z.object({
  id: productId,
  code: z.string(),
  name: z.string().nullable(),
  category_id: categoryId,
  category: z.string(),
  archived: z.boolean(),
  updated_at: instantSchema,
});

export const productsOutput = z.object({ products: z.array(productOutput), next: nextCursor });

export const productInput = z.strictObject({ id: productId });

export const createProductInput = z.strictObject({
  code,
  category_id: categoryId,
  name: productName.optional(),
});

export const updateProductInput = z.strictObject({
  id: productId,
  code: code.optional(),
  category_id: categoryId.optional(),
  name: productName.optional(),
  shown: shownFields(productOutput.pick({ code: true, category_id: true, name: true })),
});

const categoryOutput = z.object({
  id: categoryId,
  name: z.string(),
  position: z.int(),
  /** True for the five categories that have an API path of their own; they can be neither renamed nor deleted. */
  listed: z.boolean(),
  products: z.int(),
  archived_products: z.int(),
});

export const categoriesOutput = z.array(categoryOutput);

export const createCategoryInput = z.strictObject({ name: categoryName });
export const renameCategoryInput = z.strictObject({
  id: categoryId,
  name: categoryName,
  shown: shownFields(categoryOutput.pick({ name: true })),
});
export const categoryInput = z.strictObject({ id: categoryId });
export const reorderCategoriesInput = z.strictObject({ ids: z.array(categoryId).min(1).max(1_000) });

export const importProductsInput = z.strictObject({ csv: csvTextSchema });

const counts = { inserted: z.int(), updated: z.int(), unchanged: z.int() };
const state = { category: z.string(), name: z.string().nullable(), archived: z.boolean() };

export const importProductsOutput = z.object(counts);

export const productChanges = z.array(
  z.object({
    code: z.string(),
    kind: z.enum(['inserted', 'updated']),
    before: z.object(state).nullable(),
    after: z.object(state),
  }),
);

export const previewProductsOutput = z.object({
  ...counts,
  /** The first 200 changes, in the order of the file. */
  changes: productChanges,
});

/** The query of a product download, in which each parameter arrives as a list of its values. */
export const productsDownloadQuery = z.strictObject({
  search: z
    .tuple([filter.search.unwrap()], withReason('input.once'))
    .transform(([search]) => search)
    .optional(),
  category_id: z
    .tuple(
      [
        z
          .string()
          .regex(/^\d{1,9}$/)
          .transform(Number)
          .pipe(categoryId),
      ],
      withReason('input.once'),
    )
    .transform(([id]) => id)
    .optional(),
  archived: z
    .tuple([archivedFilter], withReason('input.once'))
    .transform(([archived]) => archived)
    .default('no'),
});
