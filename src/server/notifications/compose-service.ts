import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { Database } from '../db/client';
import { inTransaction } from '../db/transaction';
import { readAttention } from '../overview/attention-service';
import { firstRecentDay } from '../overview/recent-imports';
import { type Channel, listActiveChannels } from './active-channels-service';
import { buildAlertMessage } from './alert';
import { readFindings } from './findings-service';
import { ALERTS, type Alert, KEY_EXPIRY_WARNING_DAYS, type Kind, MAX_LISTED_ENTRIES } from './kind';
import * as sql from './notifications.queries';
import { canReadKind } from './permissions';
import { buildSummaryMessage, isQuiet, type SummaryFigures } from './summary';
import { findDueSummaryDay } from './summary-schedule';

interface ComposeServices {
  db: Database;
  /** Milliseconds since the Unix epoch. */
  now: number;
  signal: AbortSignal;
}

/** PostgreSQL's word for a time before all others. */
const NEVER = '-infinity';

async function readFigures(db: Database, channel: Channel, now: number): Promise<SummaryFigures> {
  const { shopIds } = channel;
  const { timeZone } = channel.reader;
  const [attention, failedImports, expiringKeys] = await Promise.all([
    readAttention(db, shopIds, { now, timeZone, shopLimit: null }),
    sql.listFailedImports.run(db.pool, { since: firstRecentDay(now, timeZone).toJSDate(), shopIds }),
    canReadKind(channel.role, 'key_expiring')
      ? sql.listExpiringKeys.run(db.pool, { days: KEY_EXPIRY_WARNING_DAYS })
      : [],
  ]);
  return {
    queueCounts: attention.queues,
    failedImportCount: failedImports.length,
    importsWithWarningsCount: attention.imports_with_warnings,
    shopsWithoutStatistics: attention.shopsMissingStatistics,
    expiringKeys,
  };
}

/**
 * Locks the channel, so that it stays as it is until the transaction ends. Returns whether a message of this kind may be written:
 * not if the channel has been switched off, no longer sends this kind or has other shops than when it was read. The next run
 * writes about the new shops.
 */
async function tryLockUnchangedChannel(
  client: pg.PoolClient,
  { id, shopIds }: Channel,
  kind: Kind,
): Promise<boolean> {
  const [lockedChannel] = await sql.tryLockChannel.run(client, { id, kind });
  return lockedChannel !== undefined && isDeepStrictEqual(lockedChannel.shop_ids, shopIds ?? []);
}

/** Writes the channel's summary once it is due. There is one row per channel and day, even if several servers try. */
async function composeSummary(db: Database, channel: Channel, now: number): Promise<void> {
  const day = channel.kinds.includes('summary') ? findDueSummaryDay(channel, now) : null;
  if (day === null) return;
  const [row] = await sql.hasSummary.run(db.pool, { channelId: channel.id, day });
  if (row!.exists) return;
  const figures = await readFigures(db, channel, now);
  const messageJson = JSON.stringify(
    buildSummaryMessage(channel.reader, figures, { day, now: new Date(now) }),
  );
  // A quiet day is stored too, because what happens later that day belongs to the next summary.
  const state = isQuiet(figures) && !channel.emptyDays ? 'skipped' : 'waiting';
  await inTransaction(db.pool, async (client) => {
    if (!(await tryLockUnchangedChannel(client, channel, 'summary'))) return;
    await sql.addSummary.run(client, { channelId: channel.id, day, message: messageJson, state });
  });
}

/**
 * Writes an alert about what is new since the last alert of its kind. If the last one is less than an hour old, the new entries
 * wait and are reported together with later ones. The message and the entries that it reports are stored in one transaction.
 */
function composeAlert(db: Database, channel: Channel, kind: Alert, now: number): Promise<void> {
  const { id: channelId, reader, shopIds } = channel;
  return inTransaction(db.pool, async (client) => {
    if (!(await tryLockUnchangedChannel(client, channel, kind))) return;
    const { findings, describeEntries } = await readFindings(client, kind, reader, { shopIds, now });
    const [recentAlertRow] = await sql.hasRecentAlert.run(client, { channelId, kind });
    const newEntries = await sql.noticeEntries.run(client, {
      channelId,
      kind,
      quiet: recentAlertRow!.exists,
      entries: findings.map(({ entry }) => entry),
      handledTimes: findings.map(({ handledAt }) => handledAt ?? NEVER),
    });
    if (newEntries.length === 0) return;
    const lines = await describeEntries(newEntries.slice(0, MAX_LISTED_ENTRIES).map(({ entry }) => entry));
    const messageJson = JSON.stringify(buildAlertMessage(reader, kind, newEntries.length, lines));
    await sql.addAlert.run(client, { channelId, kind, message: messageJson });
  });
}

async function composeForChannel(db: Database, channel: Channel, now: number): Promise<void> {
  await composeSummary(db, channel, now);
  for (const kind of ALERTS)
    if (channel.kinds.includes(kind) && canReadKind(channel.role, kind))
      await composeAlert(db, channel, kind, now);
}

/**
 * Writes, for every active channel, the summary if it is due and alerts about what is new. delivery-service.ts sends them.
 * Stops early, without an error, if the signal aborts.
 *
 * @throws the first error of a channel, after all channels have been tried
 */
export async function composeMessages(
  { db, now, signal }: ComposeServices,
  hasEmail: boolean,
): Promise<void> {
  const errors: unknown[] = [];
  for (const channel of await listActiveChannels(db, hasEmail)) {
    if (signal.aborted) return;
    await composeForChannel(db, channel, now).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}
