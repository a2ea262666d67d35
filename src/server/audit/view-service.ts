import { DateTime } from 'luxon';
import type { z } from 'zod';
import type { Prisma } from '../../generated/prisma/client';
import { decodeIdCursor, encodeIdCursor } from '../core/lists/cursor';
import type { Database } from '../db/client';
import { AUDIT_GROUPS, type AuditRecordType } from './actions';
import * as sql from './audit.queries';
import type { auditActorsOutput, auditInput, auditOutput } from './schema';

type Filter = z.output<typeof auditInput>;
type Entry = z.output<typeof auditOutput>['entries'][number];
type ActorKind = Entry['actor_kind'];

function actorWhere(actors: Filter['actors']): Prisma.AuditEntryWhereInput {
  if (!actors) return {};
  const kindsAndIds = actors.map((actor) => actor.split(':') as [ActorKind, string | undefined]);
  return {
    OR: kindsAndIds.map(([actorKind, id]) => ({
      actorKind,
      ...(id === undefined ? {} : { actorId: Number(id) }),
    })),
  };
}

function timeWhere({ from, to }: Filter, timeZone: string): Prisma.AuditEntryWhereInput {
  const startOfDay = (day: string) => DateTime.fromISO(day, { zone: timeZone }).startOf('day');
  return {
    createdAt: {
      ...(from === undefined ? {} : { gte: startOfDay(from).toJSDate() }),
      ...(to === undefined ? {} : { lt: startOfDay(to).plus({ days: 1 }).toJSDate() }),
    },
  };
}

/**
 * Returns a page of the audit log, newest first. Records and actors have the names that they had at the time, so that renaming or
 * removing something later does not change what the log says. Orders are named as long as they are stored.
 *
 * @param timeZone the time zone of the filter's days
 */
export async function listAuditEntries(
  db: Database,
  filter: Filter,
  timeZone: string,
): Promise<{ entries: Entry[]; next: string | null }> {
  const { cursor, groups, action, record_types: types, record_id: recordId, limit } = filter;
  const foundRows = await db.prisma.auditEntry.findMany({
    where: {
      AND: [
        ...(cursor === undefined ? [] : [{ id: { lt: BigInt(decodeIdCursor(cursor)) } }]),
        ...(groups === undefined
          ? []
          : [{ action: { in: groups.flatMap((group) => [...AUDIT_GROUPS[group]]) } }]),
        ...(action === undefined ? [] : [{ action }]),
        ...(types === undefined ? [] : [{ recordType: { in: types } }]),
        ...(recordId === undefined ? [] : [{ recordId }]),
        actorWhere(filter.actors),
        timeWhere(filter, timeZone),
      ],
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const rows = foundRows.slice(0, limit);
  const mentions = rows.flatMap(({ id: entryId, recordType, recordId, actorKind, actorId }) => [
    { entryId, type: recordType, id: recordId },
    ...(actorId === null ? [] : [{ entryId, type: actorKind, id: String(actorId) }]),
  ]);
  const [nameAtTime, currentNames] = await Promise.all([
    loadNamesAtTime(db, mentions),
    readNames(db, mentions),
  ]);
  const entries = rows.map((row) => {
    const [before, after] = [row.before, row.after] as Entry['before'][];
    const nameOf = (type: string, id: string | number | null) =>
      nameAtTime({ entryId: row.id, type, id: String(id) }) ?? currentNames.get(`${type} ${id}`) ?? null;
    return {
      id: String(row.id),
      created_at: row.createdAt.toISOString(),
      actor_kind: row.actorKind,
      actor: row.actor,
      actor_name: nameOf(row.actorKind, row.actorId),
      action: row.action as Entry['action'],
      record_type: row.recordType as Entry['record_type'],
      record_id: row.recordId,
      record_name:
        (row.recordType === 'prompt' ? shopNameOf(after) : null) ??
        nameOf(row.recordType, row.recordId) ??
        recordedName(after) ??
        recordedName(before),
      before: before ?? null,
      after: after ?? null,
      address: row.address,
      request_id: row.requestId,
    };
  });
  return { entries, next: foundRows.length > limit ? encodeIdCursor(String(rows.at(-1)!.id)) : null };
}

/** Returns the name of the shop that an entry of its prompt has. */
const shopNameOf = (values: Entry['before'] | undefined): string | null =>
  typeof values?.shop_name === 'string' ? values.shop_name : null;

/** Returns the record's name according to an entry's values, for records that may have been removed. */
function recordedName(values: Entry['before'] | undefined): string | null {
  const name = values?.name ?? values?.file_name ?? values?.code;
  return typeof name === 'string' ? name : null;
}

/** The types of records that can be renamed; the entries that create, rename or delete them have their names. */
const RENAMABLE_TYPES: readonly string[] = [
  'account',
  'api_key',
  'category',
  'export_template',
  'notification_channel',
  'oauth_client',
  'personal_token',
  'product',
  'user',
  'view',
] satisfies AuditRecordType[];

/** A record or actor that an entry is about. */
interface Mention {
  entryId: bigint;
  type: string;
  id: string;
}

/** Returns a function that names a record or actor as it was called just before an entry; null if the log does not say. */
async function loadNamesAtTime(
  db: Database,
  mentions: readonly Mention[],
): Promise<(mention: Mention) => string | null> {
  const keyOf = ({ entryId, type, id }: { entryId: bigint | string; type: string; id: string }) =>
    `${entryId} ${type} ${id}`;
  const namedMentions = mentions.filter(({ type }) => RENAMABLE_TYPES.includes(type));
  if (namedMentions.length === 0) return () => null;
  const mentionsJson = JSON.stringify(
    namedMentions.map((mention) => ({ ...mention, entryId: String(mention.entryId) })),
  );
  const rows = await sql.listNamesAtTime.run(db.pool, { mentionsJson });
  const names = new Map(rows.map((row) => [keyOf(row), row.name ?? null]));
  return (mention) => names.get(keyOf(mention)) ?? null;
}

const POSITIVE_INTEGER = /^[1-9]\d{0,17}$/;

/** Returns the present names of records, keyed by type and id. */
async function readNames(
  db: Database,
  records: readonly { type: string; id: string }[],
): Promise<Map<string, string>> {
  const idsOf = (type: AuditRecordType) => [
    ...new Set(records.filter((record) => record.type === type).map(({ id }) => id)),
  ];
  const integerIdTextsOf = (type: AuditRecordType) => idsOf(type).filter((id) => POSITIVE_INTEGER.test(id));
  const integerIdsOf = (type: AuditRecordType) => integerIdTextsOf(type).map(Number);
  const [orderIds, importIds] = [integerIdTextsOf('order'), integerIdTextsOf('import')];
  const [otherNames, orderNames, importNames] = await Promise.all([
    sql.nameRecords.run(db.pool, {
      shopIds: integerIdsOf('account'),
      userIds: integerIdsOf('user'),
      apiKeyIds: integerIdsOf('api_key'),
      tokenIds: integerIdsOf('personal_token'),
      clientIds: idsOf('oauth_client'),
      productIds: integerIdsOf('product'),
      categoryIds: integerIdsOf('category'),
      countryCodes: idsOf('country'),
      viewIds: integerIdsOf('view'),
      templateIds: integerIdsOf('export_template'),
      channelIds: integerIdsOf('notification_channel'),
      promptIds: integerIdsOf('prompt'),
    }),
    orderIds.length === 0 ? [] : sql.nameOrders.run(db.pool, { orderIds }),
    importIds.length === 0 ? [] : sql.nameImports.run(db.pool, { importIds }),
  ]);
  return new Map([
    ...otherNames.map(({ type, id, name }): [string, string] => [`${type} ${id}`, name]),
    ...orderNames.map(({ id, name }): [string, string] => [`order ${id}`, name]),
    ...importNames.map(({ id, name }): [string, string] => [`import ${id}`, name]),
  ]);
}

/** Returns the actors in the log: users first, then the service itself, commands and keys. */
export async function listActors(db: Database): Promise<z.output<typeof auditActorsOutput>> {
  const actors = await sql.listActors.run(db.pool);
  return actors.map(({ kind, id, name }) => ({
    actor: id === null ? kind : `${kind}:${id}`,
    kind: kind as ActorKind,
    name,
  }));
}
