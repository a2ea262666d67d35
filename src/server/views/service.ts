import { type Actor, writeAudit } from '../audit/audit';
import { ServiceError, validationError } from '../core/errors';
import { because, problemAt } from '../core/reason';
import { isTaken } from '../core/unique';
import type { Database } from '../db/client';
import type { Role } from '../identity/schema';
import * as sql from './views.queries';

/** Most views per user, across all lists. */
const MAX_VIEWS = 200;

/** The user; views belong to a user. */
interface Viewer {
  userId: number;
  role: Role;
}

const SELECT = { include: { user: { select: { name: true } } } } as const;

type Transaction = Parameters<Parameters<Database['prisma']['$transaction']>[0]>[0];

/** Returns the user's own views of a list and those that others share, by name. */
export async function listViews(db: Database, viewer: Viewer, list: string) {
  return db.prisma.savedView.findMany({
    where: { list, OR: [{ userId: viewer.userId }, { shared: true }] },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    ...SELECT,
  });
}

const auditView = ({
  list,
  name,
  query,
  shared,
}: {
  list: string;
  name: string;
  query: string;
  shared: boolean;
}) => ({
  list,
  name,
  query,
  shared,
});

/**
 * Saves a view under a name. If the user already has a view of that name for that list, its query is replaced.
 *
 * @throws ServiceError `validation_failed` if the user has too many
 */
export async function saveView(
  db: Database,
  actor: Actor,
  viewer: Viewer,
  input: { list: string; name: string; query: string },
) {
  return db.prisma.$transaction(async (tx) => {
    const { userId } = viewer;
    await sql.lockUserOfViews.runIn(tx, { userId });
    const unique = { userId_list_name: { userId, list: input.list, name: input.name } };
    const before = await tx.savedView.findUnique({ where: unique });
    if (!before && (await tx.savedView.count({ where: { userId } })) >= MAX_VIEWS)
      throw validationError([problemAt('name', because('view.tooMany', { count: MAX_VIEWS }))]);
    const view = await tx.savedView.upsert({
      where: unique,
      create: { userId, ...input },
      update: { query: input.query },
      ...SELECT,
    });
    if (before?.query === view.query) return view;
    await writeAudit(tx, actor, {
      action: 'view.save',
      recordType: 'view',
      recordId: view.id,
      ...(before ? { before: auditView(before) } : {}),
      after: auditView(view),
    });
    return view;
  });
}

/**
 * Locks and returns the view. A view that the user may not see is not found; one that they may see but not change is forbidden.
 *
 * @throws ServiceError `not_found`, `forbidden`
 */
async function lockView(tx: Transaction, viewer: Viewer, id: number, may: (own: boolean) => boolean) {
  await sql.lockView.runIn(tx, { id });
  const view = await tx.savedView.findUnique({ where: { id } });
  const own = view?.userId === viewer.userId;
  if (!view || !(own || view.shared)) throw new ServiceError('not_found', because('answer.noView', { id }));
  if (!may(own)) throw new ServiceError('forbidden', because('answer.otherView'));
  return view;
}

/** Changes one of the user's own views. */
async function change(
  db: Database,
  actor: Actor,
  viewer: Viewer,
  { id, ...data }: { id: number; name?: string; shared?: boolean },
  action: string,
) {
  return db.prisma
    .$transaction(async (tx) => {
      const before = await lockView(tx, viewer, id, (own) => own);
      const view = await tx.savedView.update({ where: { id }, data, ...SELECT });
      if (JSON.stringify(auditView(before)) !== JSON.stringify(auditView(view))) {
        const record = { action, recordType: 'view', recordId: id };
        await writeAudit(tx, actor, { ...record, before: auditView(before), after: auditView(view) });
      }
      return view;
    })
    .catch((error: unknown) => {
      if (!isTaken(error)) throw error;
      throw validationError([problemAt('name', because('view.nameTaken'))]);
    });
}

/**
 * Renames one of the user's own views. @throws ServiceError `not_found`, `forbidden`; `validation_failed` if the name is taken
 */
export function renameView(db: Database, actor: Actor, viewer: Viewer, input: { id: number; name: string }) {
  return change(db, actor, viewer, input, 'view.rename');
}

/** Shares one of the user's own views with everyone, or stops sharing it. @throws ServiceError `not_found`, `forbidden` */
export function shareView(
  db: Database,
  actor: Actor,
  viewer: Viewer,
  input: { id: number; shared: boolean },
) {
  return change(db, actor, viewer, input, 'view.share');
}

/**
 * Deletes one of the user's own views; users who manage people may also delete shared views of others.
 * @throws ServiceError `not_found`, `forbidden`
 */
export async function removeView(db: Database, actor: Actor, viewer: Viewer, id: number): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const manages = viewer.role === 'owner' || viewer.role === 'admin';
    const view = await lockView(tx, viewer, id, (own) => own || manages);
    await tx.savedView.delete({ where: { id } });
    await writeAudit(tx, actor, {
      action: 'view.remove',
      recordType: 'view',
      recordId: id,
      before: auditView(view),
    });
  });
}
