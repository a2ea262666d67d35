import type { z } from 'zod';
import type { ReportProblem } from '../core/errors/problem-list';
import { router } from '../trpc/init';
import { keyProcedure } from '../trpc/procedures';
import { storedMembersInput } from '../trpc/stored-members-input';
import { findExtraProblems, splitMembers } from './extra';
import {
  listingStatisticsRequest,
  listingStatisticsResponse,
  shopStatisticsRequest,
  shopStatisticsResponse,
} from './schema';
import { type DaySender, upsertListingStatistic, upsertShopStatistic } from './service';
import { LISTING_TABLE, SHOP_TABLE, type StatisticTable } from './tables';

const TAGS = ['Statistics'];
const UPSERT_DESCRIPTION =
  'A second call for the same key updates the row. Members that are left out keep their stored values; those never sent are null. Additional members are merged into `extra`, which may be at most 64 KiB. Rates are rounded to four decimals.';

const findProblemsIn =
  (table: StatisticTable) =>
  (body: Record<string, unknown>, report: ReportProblem): void =>
    findExtraProblems(splitMembers(body, table).extra, report);

const senderOf = ({
  key,
  requireCallerAfterWait,
}: {
  key: { id: number };
  requireCallerAfterWait: DaySender['requireCallerAfterWait'];
}): DaySender => ({ apiKeyId: key.id, requireCallerAfterWait });

export const statisticsRouter = router({
  upsertShop: keyProcedure
    .meta({
      effect: 'replaces',
      openapi: {
        method: 'POST',
        path: '/api/shop-statistics',
        operationId: 'post_api_shop_statistics',
        summary: "Insert or update a shop's statistics for a day",
        description: UPSERT_DESCRIPTION,
        tags: TAGS,
        successDescription: 'The stored row',
      },
    })
    .input(storedMembersInput(shopStatisticsRequest, findProblemsIn(SHOP_TABLE)))
    .output(shopStatisticsResponse)
    .mutation(async ({ ctx, input }) => ({
      success: true as const,
      data: (await upsertShopStatistic(ctx.services.db, input, senderOf(ctx))) as z.output<
        typeof shopStatisticsResponse
      >['data'],
    })),

  upsertProduct: keyProcedure
    .meta({
      effect: 'replaces',
      openapi: {
        method: 'POST',
        path: '/api/product-statistics',
        operationId: 'post_api_product_statistics',
        summary: "Insert or update a listing's statistics for a day",
        description: UPSERT_DESCRIPTION,
        tags: TAGS,
        successDescription: 'The stored row',
      },
    })
    .input(storedMembersInput(listingStatisticsRequest, findProblemsIn(LISTING_TABLE)))
    .output(listingStatisticsResponse)
    .mutation(async ({ ctx, input }) => ({
      success: true as const,
      data: (await upsertListingStatistic(ctx.services.db, input, senderOf(ctx))) as z.output<
        typeof listingStatisticsResponse
      >['data'],
    })),
});
