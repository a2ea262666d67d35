import type { Prisma } from '../../generated/prisma/client';
import type { AuditAction } from '../audit/actions';
import { type Actor, writeAuditEntry } from '../audit/service';
import { invalidField, notFound, ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { Database } from '../db/client';
import { isUniqueViolation } from '../db/unique-violation';
import type { Role } from '../identity/schema';
import * as sql from './views.queries';

/** The maximum number of views per user, across all lists. */
const MAX_VIEWS = 200;

/** The user who reads or changes views. */
interface Viewer {
  userId: number;
  role: Role;
}

/** The maximum number of views of a list that a user may pin: a longer row of tabs would be hard to read. */
const MAX_PINNED_VIEWS = 8;

/** Makes Prisma return a view with its owner's name and with the viewer's pin, if there is one. */
const includeDetailsFor = ({ userId }: Viewer) => ({
  include: {
    user: { select: { name: true } },
    pins: { where: { userId }, select: { viewId: true } },
  },
});

const whereVisible = ({ userId }: Viewer, list: string) => ({ list, OR: [{ userId }, { shared: true }] });

/** Returns the user's own views of a list and those that others share, sorted by name. */
export async function listViews(db: Database, viewer: Viewer, list: string) {
  return db.prisma.savedView.findMany({
    where: whereVisible(viewer, list),
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    ...includeDetailsFor(viewer),
  });
}

const auditedFieldsOf = ({
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
 * Saves a view under a name. If the user already has a view with that name for that list, its query is replaced.
 *
 * @throws ServiceError `validation_failed` if the user has too many views
 */
export async function saveView(
  db: Database,
  actor: Actor,
  viewer: Viewer,
  input: { list: string; name: string; query: string },
) {
  return db.prisma.$transaction(async (tx) => {
    const { userId } = viewer;
    await sql.lockViewer.runIn(tx, { userId });
    const uniqueKey = { userId_list_name: { userId, list: input.list, name: input.name } };
    const previousView = await tx.savedView.findUnique({ where: uniqueKey });
    if (!previousView && (await tx.savedView.count({ where: { userId } })) >= MAX_VIEWS)
      throw invalidField('name', createReason('view.tooMany', { count: MAX_VIEWS }));
    const view = await tx.savedView.upsert({
      where: uniqueKey,
      create: { userId, ...input },
      update: { query: input.query },
      ...includeDetailsFor(viewer),
    });
    if (previousView?.query === view.query) return view;
    await writeAuditEntry(tx, actor, {
      action: 'view.save',
      recordType: 'view',
      recordId: view.id,
      ...(previousView ? { before: auditedFieldsOf(previousView) } : {}),
      after: auditedFieldsOf(view),
    });
    return view;
  });
}

/**
 * Locks and returns the view. A view that the user may not see is not found. A view that they may see is forbidden if `isAllowed`
 * refuses it.
 *
 * @throws ServiceError `not_found`, `forbidden`
 */
async function lockView(
  tx: Prisma.TransactionClient,
  viewer: Viewer,
  id: number,
  isAllowed: (isOwn: boolean) => boolean,
) {
  await sql.lockView.runIn(tx, { id });
  const view = await tx.savedView.findUnique({ where: { id } });
  const isOwn = view?.userId === viewer.userId;
  if (!view || !(isOwn || view.shared)) throw notFound(createReason('answer.noView', { id }));
  if (!isAllowed(isOwn)) throw new ServiceError('forbidden', createReason('answer.otherView'));
  return view;
}

/** Changes one of the user's own views. */
async function changeOwnView(
  db: Database,
  actor: Actor,
  viewer: Viewer,
  { id, ...changes }: { id: number; name?: string; shared?: boolean },
  action: AuditAction,
) {
  return db.prisma
    .$transaction(async (tx) => {
      const previousView = await lockView(tx, viewer, id, (isOwn) => isOwn);
      const view = await tx.savedView.update({ where: { id }, data: changes, ...includeDetailsFor(viewer) });
      if (JSON.stringify(auditedFieldsOf(previousView)) !== JSON.stringify(auditedFieldsOf(view))) {
        const record = { action, recordType: 'view' as const, recordId: id };
        await writeAuditEntry(tx, actor, {
          ...record,
          before: auditedFieldsOf(previousView),
          after: auditedFieldsOf(view),
        });
      }
      return view;
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw invalidField('name', createReason('view.nameTaken'));
    });
}

/**
 * Renames one of the user's own views. @throws ServiceError `not_found`, `forbidden`; `validation_failed` if the name is taken
 */
export function renameView(db: Database, actor: Actor, viewer: Viewer, input: { id: number; name: string }) {
  return changeOwnView(db, actor, viewer, input, 'view.rename');
}

/** Shares one of the user's own views with everyone, or stops sharing it. @throws ServiceError `not_found`, `forbidden` */
export function shareView(
  db: Database,
  actor: Actor,
  viewer: Viewer,
  input: { id: number; shared: boolean },
) {
  return changeOwnView(db, actor, viewer, input, 'view.share');
}

/**
 * Pins a view that the user may see, or unpins it. Only this user sees the tab, so pinning is not in the audit log.
 *
 * @throws ServiceError `not_found`; `validation_failed` if the user has pinned too many views of the list
 */
export function pinView(db: Database, viewer: Viewer, input: { id: number; pinned: boolean }) {
  const { userId } = viewer;
  return db.prisma.$transaction(async (tx) => {
    await sql.lockViewer.runIn(tx, { userId });
    const { id, list } = await lockView(tx, viewer, input.id, () => true);
    const pinKey = { userId, viewId: id };
    if (input.pinned) {
      const whereOtherPins = { userId, viewId: { not: id }, view: whereVisible(viewer, list) };
      if ((await tx.pinnedView.count({ where: whereOtherPins })) >= MAX_PINNED_VIEWS)
        throw invalidField('id', createReason('view.tooManyPinned', { count: MAX_PINNED_VIEWS }));
      await tx.pinnedView.upsert({ where: { userId_viewId: pinKey }, create: pinKey, update: {} });
    } else await tx.pinnedView.deleteMany({ where: pinKey });
    return tx.savedView.findUniqueOrThrow({ where: { id }, ...includeDetailsFor(viewer) });
  });
}

/**
 * Deletes one of the user's own views. Owners and admins may also delete views that others share.
 * @throws ServiceError `not_found`, `forbidden`
 */
export async function removeView(db: Database, actor: Actor, viewer: Viewer, id: number): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const canManageViews = viewer.role === 'owner' || viewer.role === 'admin';
    const view = await lockView(tx, viewer, id, (isOwn) => isOwn || canManageViews);
    await tx.savedView.delete({ where: { id } });
    await writeAuditEntry(tx, actor, {
      action: 'view.remove',
      recordType: 'view',
      recordId: id,
      before: auditedFieldsOf(view),
    });
  });
}
