import { router } from '../trpc/init';
import { keyProcedure } from '../trpc/procedures';
import { type BUILT_IN_CATEGORIES, categoryNameList, productCodeList } from './schema';
import { listCategoryNames, listProductCodes } from './service';

const TAGS = ['Product codes'];

function createCodesProcedure(category: (typeof BUILT_IN_CATEGORIES)[number]) {
  return keyProcedure
    .meta({
      effect: 'reads',
      hasEtag: true,
      openapi: {
        method: 'GET',
        path: `/api/legos-${category}`,
        operationId: `get_api_legos_${category}`,
        summary: `List the product codes of the ${category} category`,
        description:
          'A bare JSON array of strings, distinct and sorted by code point. Archived products are left out.',
        tags: TAGS,
        successDescription: 'The codes',
      },
    })
    .output(productCodeList)
    .query(({ ctx }) => listProductCodes(ctx.services.db, category));
}

export const catalogRouter = router({
  headCodes: createCodesProcedure('head'),
  bodyCodes: createCodesProcedure('body'),
  hairCodes: createCodesProcedure('hair'),
  legCodes: createCodesProcedure('leg'),
  brickCodes: createCodesProcedure('brick'),

  categoryNames: keyProcedure
    .meta({
      effect: 'reads',
      hasEtag: true,
      openapi: {
        method: 'GET',
        path: '/api/legos-cate',
        operationId: 'get_api_legos_cate',
        summary: 'List the category names',
        description: 'A bare JSON array of strings, in the stored order of the categories.',
        tags: TAGS,
        successDescription: 'The names',
      },
    })
    .output(categoryNameList)
    .query(({ ctx }) => listCategoryNames(ctx.services.db)),

  skuCodes: keyProcedure
    .meta({
      effect: 'reads',
      hasEtag: true,
      openapi: {
        method: 'GET',
        path: '/api/legos-sku',
        operationId: 'get_api_legos_sku',
        summary: 'List all product codes',
        description: 'A bare JSON array of every code of every category, distinct and sorted by code point.',
        tags: TAGS,
        successDescription: 'The codes',
      },
    })
    .output(productCodeList)
    .query(({ ctx }) => listProductCodes(ctx.services.db, null)),
});
