import type { Reason } from '../core/errors/reason';
import { doneOutput } from '../core/fields';
import { parseStoredLocale } from '../core/locales';
import type { Permission } from '../identity/roles';
import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import { listChannels, type OwnerId, removeChannel, saveChannel } from './channel-service';
import { listDeliveries, sendTestMessage } from './delivery-service';
import type { Kind } from './kind';
import {
  channelInput,
  channelOutput,
  channelsOutput,
  deliveriesOutput,
  saveChannelInput,
  testOutput,
} from './schema';
import type { Sender } from './sending/sender';

declare module '../trpc/context' {
  interface Services {
    /** Sends notifications. */
    sender: Sender;
  }
}

type StoredChannel = Awaited<ReturnType<typeof saveChannel>>;

/** Returns a channel without the address of its webhook, which is secret. */
const toOutput = (channel: StoredChannel) => ({
  id: channel.id,
  vendor: channel.vendor,
  name: channel.name,
  signed: channel.signingKey !== null,
  kinds: channel.kinds as Kind[],
  shop_ids: channel.shopIds,
  send_at: channel.sendAt,
  time_zone: channel.timeZone,
  locale: parseStoredLocale(channel.locale),
  empty_days: channel.emptyDays,
  active: channel.active,
});

/** Creates the procedures for one kind of owner. */
function createChannelRouter(permission: Permission, ownerOf: (user: { userId: number }) => OwnerId) {
  const procedure = userProcedure(permission);
  return router({
    list: procedure.output(channelsOutput).query(async ({ ctx: { services, user } }) => ({
      channels: (await listChannels(services.db, ownerOf(user))).map(toOutput),
      has_email: services.sender.hasEmail,
    })),

    save: procedure
      .input(saveChannelInput)
      .output(channelOutput)
      .mutation(async ({ ctx: { services, actor, user }, input }) =>
        toOutput(await saveChannel(services, actor, ownerOf(user), input, services.now())),
      ),

    remove: procedure
      .input(channelInput)
      .output(doneOutput)
      .mutation(async ({ ctx: { services, actor, user }, input }) => {
        await removeChannel(services.db, actor, ownerOf(user), input.id);
        return { done: true as const };
      }),

    test: procedure
      .input(channelInput)
      .output(testOutput)
      .mutation(async ({ ctx: { services, user }, input }) => ({
        reason: await sendTestMessage(services, ownerOf(user), input.id),
      })),

    deliveries: procedure.output(deliveriesOutput).query(async ({ ctx: { services, user } }) => {
      const rows = await listDeliveries(services.db, ownerOf(user));
      return rows.map((row) => ({
        id: row.id,
        channel: row.channel,
        vendor: row.vendor,
        kind: row.kind,
        title: row.title,
        state: row.state,
        failure: row.failure as unknown as Reason | null,
        created_at: row.created_at.toISOString(),
        sent_at: row.sent_at?.toISOString() ?? null,
      }));
    }),
  });
}

/** The channels that notifications are sent to. */
export const notificationRouter = router({
  /** The caller's own channels. */
  own: createChannelRouter('self.manage', ({ userId }) => userId),
  /** Chats that the whole team reads. */
  team: createChannelRouter('channels.write', () => null),
});
