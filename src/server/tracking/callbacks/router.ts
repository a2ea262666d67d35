import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { listCallbacks, readCallback } from './list-service';
import { listMappings, listUnmappedStatuses, mapStatus, unmapStatus } from './mapping-service';
import { replayRecords, replayUnmappedCallbacks } from './replay-service';
import {
  callbackInput,
  callbackListInput,
  callbackListOutput,
  callbackOutput,
  mappingChangeOutput,
  mappingsOutput,
  mapStatusInput,
  providerStatusInput,
  replayInput,
  replayOutput,
  replayUnmappedInput,
  replayUnmappedOutput,
  unmappedStatusesOutput,
} from './schema';

const readProcedure = userProcedure('tracking.read');
const listProcedure = userProcedure('tracking.read', { fromReplica: true });
const writeProcedure = userProcedure('tracking.write');

/** Carriers' callbacks, and the meanings of providers' statuses. */
export const callbackRouter = router({
  list: listProcedure
    .input(callbackListInput)
    .output(callbackListOutput)
    .query(({ ctx: { services, user }, input }) => listCallbacks(services.db, input, user.timeZone)),

  one: readProcedure
    .input(callbackInput)
    .output(callbackOutput)
    .query(({ ctx: { services }, input }) => readCallback(services.db, input.id)),

  replay: writeProcedure
    .input(replayInput)
    .output(replayOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => ({
      records: await replayRecords(services.db, actor, input.ids),
    })),

  replayUnmapped: writeProcedure
    .input(replayUnmappedInput)
    .output(replayUnmappedOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      replayUnmappedCallbacks(
        services.db,
        actor,
        { source: input.source, providerStatus: input.provider_status },
        input.started_at === undefined ? null : new Date(input.started_at),
      ),
    ),

  unmapped: listProcedure
    .output(unmappedStatusesOutput)
    .query(({ ctx: { services } }) => listUnmappedStatuses(services.db)),

  mappings: readProcedure.output(mappingsOutput).query(({ ctx: { services } }) => listMappings(services.db)),

  mapStatus: writeProcedure
    .input(mapStatusInput)
    .output(mappingChangeOutput)
    .mutation(({ ctx: { services, actor }, input }) => {
      const key = { source: input.source, providerStatus: input.provider_status };
      return mapStatus(services.db, actor, key, input.status);
    }),

  unmapStatus: writeProcedure
    .input(providerStatusInput)
    .output(mappingChangeOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      unmapStatus(services.db, actor, { source: input.source, providerStatus: input.provider_status }),
    ),
});
