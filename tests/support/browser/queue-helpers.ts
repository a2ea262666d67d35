import { DAY_MS } from '../../../src/server/core/days';
import type { SignedInUser } from '../service/signed-in';
import type { TestService } from '../service/test-service';

/** Returns the time `days` days ago, in ISO 8601. */
export const timeDaysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** An entry in the input of `handle` and `snooze`. */
interface SeenEntry {
  shop_id: number | null;
  id: string;
  latest_at: string;
}

interface Problem {
  status?: string;
  sub_status?: string;
  description?: string;
}

/** Returns helpers that put orders of a service into queues and work on them as a user. */
export function createQueueHelpers(service: TestService, user: SignedInUser) {
  const sendCallback = (tracking_number: string, { status = 'exception', ...event }: Problem = {}) =>
    service.send('/api/v1/tracks', {
      body: { event: 'tracking', data: { tracking_number, status, ...event } },
    });
  const list = async (queue: string, filter: object = {}) => {
    const { data, error } = await user.call('queues.list', { queue, ...filter });
    if (error) throw new Error(error.message);
    return data;
  };
  const listNumbers = async (queue: string, filter: object = {}): Promise<string[]> =>
    (await list(queue, filter)).entries.map((entry: { number: string }) => entry.number);
  const findEntry = async (queue: string, receiptId: string, filter: object = {}) => {
    const { entries } = await list(queue, filter);
    const match = entries.find((entry: { number: string }) => entry.number === receiptId);
    if (!match) throw new Error(`${receiptId} is not in ${queue}`);
    return match;
  };
  const findSeenEntries = async (queue: string, ...receiptIds: string[]) => {
    const entries = await Promise.all(receiptIds.map((receiptId) => findEntry(queue, receiptId)));
    return entries.map(({ shop_id, id, latest_at }): SeenEntry => ({ shop_id, id, latest_at }));
  };
  return {
    sendCallback,
    list,
    /** Returns the order or tracking number of each entry in a queue. */
    listNumbers,
    /** Returns the entry of an order in a queue. Throws if there is none. */
    findEntry,
    /** Returns entries for the input of `handle` and `snooze`, as the user has seen them. */
    findSeenEntries,
    /** Returns an entry for the input of `assign` and `putBack`. */
    findReference: async (queue: string, receiptId: string) => {
      const { shop_id, id } = await findEntry(queue, receiptId);
      return { shop_id, id } as Omit<SeenEntry, 'latest_at'>;
    },
    handle: async (queue: string, ...receiptIds: string[]) =>
      user.call('queues.handle', { queue, entries: await findSeenEntries(queue, ...receiptIds) }),
    /** Imports an order whose shipment has a problem. Returns the tracking number. */
    async importStuckOrder(receiptId: string, problem: Problem = {}) {
      const trackingNumber = `N${receiptId.toUpperCase()}0`;
      await service.importRows([
        {
          receipt_id: receiptId,
          title: `Gift ${receiptId}`,
          sale_date: '8/22/2026',
          tracking_number: trackingNumber,
        },
      ]);
      await sendCallback(trackingNumber, problem);
      return trackingNumber;
    },
    /** Returns the number of open entries in each queue, and the totals. */
    readCounts: async (input: object = {}) => {
      const { data } = await user.call('queues.counts', input);
      const openCounts = Object.fromEntries(
        data.queues.map(({ queue, open }: { queue: string; open: number }) => [queue, open]),
      );
      return { ...openCounts, total: data.total, handled_today: data.handled_today };
    },
  };
}
