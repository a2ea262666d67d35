import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { Prisma } from '../../generated/prisma/client';
import type { Database } from '../db/client';
import type { AuditAction, AuditField, AuditRecordType } from './actions';
import { addEntries } from './audit.queries';

/** Who is acting and from where, as recorded in the audit log. */
export interface Actor {
  kind: 'user' | 'api_key' | 'command' | 'system';
  id?: number;
  name: string;
  address?: string;
  requestId?: string;
}

type AuditValues = { readonly [Name in string]?: Prisma.InputJsonValue | null };

/** Values whose names are all in AUDIT_FIELDS. Other names do not compile. */
type DeclaredValues<V> = V & { readonly [Name in Exclude<keyof V, AuditField>]: never };

interface NewAuditEntry<Before, After> {
  action: AuditAction;
  recordType: AuditRecordType;
  recordId: string | number;
  before?: DeclaredValues<Before>;
  after?: DeclaredValues<After>;
}

/** The Prisma client or a transaction. In a transaction, the entry commits or rolls back together with the change. */
type Writer = Pick<Database['prisma'], 'auditEntry'>;

/** Adds an entry to the append-only audit log. Never put secrets into `before` or `after`. */
export async function writeAuditEntry<Before extends AuditValues, After extends AuditValues>(
  db: Writer,
  actor: Actor,
  entry: NewAuditEntry<Before, After>,
): Promise<void> {
  await db.auditEntry.create({
    data: {
      actorKind: actor.kind,
      actorId: actor.id ?? null,
      actor: actor.name,
      address: actor.address ?? null,
      requestId: actor.requestId ?? null,
      ...entry,
      recordId: String(entry.recordId),
    },
  });
}

/** Adds an entry for a change to a record, unless nothing has changed. */
export async function writeAuditEntryIfChanged<Before extends AuditValues, After extends AuditValues>(
  db: Writer,
  actor: Actor,
  entry: NewAuditEntry<Before, After> & { before: unknown; after: unknown },
): Promise<void> {
  if (!isDeepStrictEqual(entry.before, entry.after)) await writeAuditEntry(db, actor, entry);
}

/** Adds entries with one statement, in the transaction of `client`. */
export async function writeAuditEntries<Before extends AuditValues, After extends AuditValues>(
  client: pg.PoolClient,
  actor: Actor,
  entries: readonly NewAuditEntry<Before, After>[],
): Promise<void> {
  if (entries.length === 0) return;
  await addEntries.run(client, {
    kind: actor.kind,
    actorId: actor.id ?? null,
    actor: actor.name,
    address: actor.address ?? null,
    requestId: actor.requestId ?? null,
    entriesJson: JSON.stringify(entries),
  });
}
