import { inTransaction } from '../core/postgres';
import type { Database } from '../db/client';
import { mayDo, type Permission } from '../identity/roles';
import { readAttention } from '../overview/service';
import { alertMessage } from './alert';
import { type Channel, listActiveChannels } from './channel-service';
import { summaryDay } from './daily-time';
import { findNow } from './findings-service';
import { ALERTS, type Alert, FAILED_IMPORT_DAYS, KEY_EXPIRY_DAYS, MAX_LISTED } from './kind';
import * as sql from './notifications.queries';
import { isQuiet, type SummaryFigures, summaryMessage } from './summary';

interface Composing {
  db: Database;
  /** Milliseconds of the Unix epoch. */
  now: number;
  signal: AbortSignal;
}

/** The permission that a reader needs for a kind; roles can change after a channel was set up. */
const NEEDED: Partial<Record<Alert, Permission>> = { key_expiring: 'keys.read' };

/** Channels of the team belong to those who manage it. */
const mayRead = ({ role }: Channel, kind: Alert) => {
  const needed = NEEDED[kind];
  return needed === undefined || mayDo(role ?? 'owner', needed);
};

async function readFigures(db: Database, channel: Channel, now: number): Promise<SummaryFigures> {
  const { shopIds } = channel;
  const [attention, failed, keys] = await Promise.all([
    readAttention(db, shopIds, now),
    sql.listFailedImports.run(db.pool, { days: FAILED_IMPORT_DAYS, shopIds }),
    mayRead(channel, 'key_expiring') ? sql.listExpiringKeys.run(db.pool, { days: KEY_EXPIRY_DAYS }) : [],
  ]);
  return {
    queues: attention.queues,
    importsFailed: failed.length,
    importsWarned: attention.imports_with_warnings,
    statisticsMissing: attention.statistics_missing,
    keys,
  };
}

/** Writes the summary of the channel's day once it is due: one row per channel and day, whichever server is first. */
async function composeSummary(db: Database, channel: Channel, now: number): Promise<void> {
  const day = channel.kinds.includes('summary') ? summaryDay(channel, now) : null;
  if (day === null) return;
  const [known] = await sql.hasSummary.run(db.pool, { channelId: channel.id, day });
  if (known!.made) return;
  const figures = await readFigures(db, channel, now);
  const message = JSON.stringify(summaryMessage(channel.reader, figures, new Date(now)));
  // A quiet day is stored too: what happens later that day belongs to the next summary.
  const state = isQuiet(figures) && !channel.emptyDays ? 'skipped' : 'waiting';
  await sql.addSummary.run(db.pool, { channelId: channel.id, day, message, state });
}

/**
 * Writes an alert about what is new since the last one of its kind, unless that is less than an hour ago: then it waits and goes
 * out with whatever else is new by then. The message and the entries it lists are stored together.
 */
function composeAlert(db: Database, channel: Channel, kind: Alert, now: number): Promise<void> {
  const { id: channelId, reader, shopIds } = channel;
  return inTransaction(db.pool, async (client) => {
    const [locked] = await sql.lockChannel.run(client, { id: channelId });
    if (!locked) return;
    const findings = await findNow(client, kind, reader, { shopIds, now });
    const [last] = await sql.hasRecent.run(client, { channelId, kind });
    const fresh = await sql.noticeEntries.run(client, {
      channelId,
      kind,
      quiet: last!.recent,
      entries: findings.all.map(({ entry }) => entry),
      handledAts: findings.all.map(({ handledAt }) => handledAt ?? null) as Date[],
    });
    if (fresh.length === 0) return;
    const listed = await findings.describe(fresh.slice(0, MAX_LISTED).map(({ entry }) => entry));
    const message = JSON.stringify(alertMessage(reader, kind, fresh.length, listed));
    await sql.addAlert.run(client, { channelId, kind, message });
  });
}

async function composeFor(db: Database, channel: Channel, now: number): Promise<void> {
  await composeSummary(db, channel, now);
  for (const kind of ALERTS)
    if (channel.kinds.includes(kind) && mayRead(channel, kind)) await composeAlert(db, channel, kind, now);
}

/**
 * Writes the summaries that are due and alerts about what is new, for every channel. They are sent afterwards
 * (delivery-service.ts).
 *
 * @throws the first error of a channel, after the others had their turn
 */
export async function composeMessages({ db, now, signal }: Composing, hasEmail: boolean): Promise<void> {
  const errors: unknown[] = [];
  for (const channel of await listActiveChannels(db, hasEmail)) {
    if (signal.aborted) return;
    await composeFor(db, channel, now).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}
