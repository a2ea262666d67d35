import { csvFileInput, csvFileOutput } from '../core/fields';
import { readCsvFile } from '../core/text/table';
import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import {
  createCategory,
  deleteCategory,
  listCategories,
  renameCategory,
  reorderCategories,
} from './category-service';
import { importProductsCsv, previewProductsCsv } from './csv-import-service';
import {
  categoriesOutput,
  categoryInput,
  createCategoryInput,
  createProductInput,
  importProductsInput,
  importProductsOutput,
  previewProductsOutput,
  productInput,
  productOutput,
  productsInput,
  productsOutput,
  renameCategoryInput,
  reorderCategoriesInput,
  updateProductInput,
} from './product-schema';
import {
  createProduct,
  findProducts,
  type Product,
  setProductArchived,
  updateProduct,
} from './product-service';

const readProcedure = userProcedure('catalog.read');
const listProcedure = userProcedure('catalog.read', { fromReplica: true });
const writeProcedure = userProcedure('catalog.write');
/** For requests that contain a CSV file. */
const csvProcedure = userProcedure('catalog.write', { bodyLimit: 'csv' });

const toOutput = ({ archived_at, updated_at, ...product }: Product) => ({
  ...product,
  archived: archived_at !== null,
  updated_at: updated_at.toISOString(),
});

/** Products and their categories, for users. */
export const productRouter = router({
  products: listProcedure
    .input(productsInput)
    .output(productsOutput)
    .query(async ({ ctx: { services }, input }) => {
      const { products, next } = await findProducts(services.db, input);
      return { products: products.map(toOutput), next };
    }),

  createProduct: writeProcedure
    .input(createProductInput)
    .output(productOutput)
    .mutation(async ({ ctx: { services, actor }, input }) =>
      toOutput(await createProduct(services.db, actor, input)),
    ),

  updateProduct: writeProcedure
    .input(updateProductInput)
    .output(productOutput)
    .mutation(async ({ ctx: { services, actor }, input }) =>
      toOutput(await updateProduct(services.db, actor, input)),
    ),

  archiveProduct: writeProcedure
    .input(productInput)
    .output(productOutput)
    .mutation(async ({ ctx: { services, actor }, input }) =>
      toOutput(await setProductArchived(services.db, actor, input.id, true)),
    ),

  restoreProduct: writeProcedure
    .input(productInput)
    .output(productOutput)
    .mutation(async ({ ctx: { services, actor }, input }) =>
      toOutput(await setProductArchived(services.db, actor, input.id, false)),
    ),

  categories: readProcedure
    .output(categoriesOutput)
    .query(({ ctx: { services } }) => listCategories(services.db)),

  createCategory: writeProcedure
    .input(createCategoryInput)
    .output(categoriesOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      await createCategory(services.db, actor, input.name);
      return listCategories(services.db);
    }),

  renameCategory: writeProcedure
    .input(renameCategoryInput)
    .output(categoriesOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      await renameCategory(services.db, actor, input);
      return listCategories(services.db);
    }),

  deleteCategory: writeProcedure
    .input(categoryInput)
    .output(categoriesOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      await deleteCategory(services.db, actor, input.id);
      return listCategories(services.db);
    }),

  reorderCategories: writeProcedure
    .input(reorderCategoriesInput)
    .output(categoriesOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      await reorderCategories(services.db, actor, input.ids);
      return listCategories(services.db);
    }),

  /** Detects a file's encoding and returns its text for preview and import. Like the preview, it stores nothing. */
  readFile: csvProcedure
    .input(csvFileInput)
    .output(csvFileOutput)
    .mutation(({ input }) => readCsvFile(input.file)),

  /** A mutation because its input is too long for a URL; it stores nothing. */
  previewImport: csvProcedure
    .input(importProductsInput)
    .output(previewProductsOutput)
    .mutation(({ ctx: { services }, input }) => previewProductsCsv(services.db, input.csv)),

  importProducts: csvProcedure
    .input(importProductsInput)
    .output(importProductsOutput)
    .mutation(({ ctx: { services, actor }, input }) => importProductsCsv(services.db, actor, input.csv)),
});
