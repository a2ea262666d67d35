import { type Actor, writeAudit } from '../../audit/service';
import { requireUnchanged } from '../../audit/unchanged-service';
import { invalidField, notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import { isUniqueViolation } from '../../db/unique-violation';
import type { OrderFilter } from '../filter/schema';
import { BUILT_IN_LAYOUTS } from './built-in';
import type { SheetLayout } from './columns';
import { storedTemplateSchema, type TemplateFilter } from './schema';
import { BUILT_IN_TEMPLATES, type BuiltInTemplate } from './template-names';
import * as sql from './templates.queries';

const MAX_TEMPLATES = 200;

/** The settings of a template that a user can change. */
interface TemplateSettings extends SheetLayout {
  name: string;
  format: 'csv' | 'xlsx';
  filter: TemplateFilter;
}

const WITH_OWNER = { include: { user: { select: { name: true } } } } as const;

const templateNotFound = (id: number) => notFound(createReason('answer.noTemplate', { id }));

/** Returns all templates: those that every team has, and the saved ones sorted by name. */
export async function listTemplates(db: Database) {
  const saved = await db.prisma.exportTemplate.findMany({ orderBy: { name: 'asc' }, ...WITH_OWNER });
  return {
    built_in: BUILT_IN_TEMPLATES.map((id) => ({
      id,
      format: 'xlsx' as const,
      totals: BUILT_IN_LAYOUTS[id].totals,
      columns: [...BUILT_IN_LAYOUTS[id].columns],
    })),
    saved: saved.map((template) => ({
      ...storedTemplateSchema.parse(template),
      id: template.id,
      name: template.name,
      owner: template.user?.name ?? null,
      updated_at: template.updatedAt.toISOString(),
    })),
  };
}

const settingsOf = ({ name, format, totals, columns, filter }: TemplateSettings) => ({
  name,
  format,
  totals,
  columns: columns.map(({ column, header }) => (header === undefined ? { column } : { column, header })),
  filter: { ...filter },
});

/**
 * Creates a template, or changes the one with the given id.
 *
 * @returns its id
 * @throws ServiceError `validation_failed` if another template has the name or there are too many; `not_found`; `conflict` if the
 * template no longer matches `shown`
 */
export async function saveTemplate(
  db: Database,
  actor: Actor & { id: number },
  {
    id,
    shown,
    ...settings
  }: TemplateSettings & {
    id?: number | undefined;
    /** The settings as a form showed them. */
    shown?: Partial<Record<keyof TemplateSettings, unknown>> | undefined;
  },
): Promise<number> {
  const after = settingsOf(settings);
  return db.prisma
    .$transaction(async (tx) => {
      await sql.lockTemplates.runIn(tx);
      const before = id === undefined ? null : await tx.exportTemplate.findUnique({ where: { id } });
      if (id !== undefined && !before) throw templateNotFound(id);
      const stored = before && settingsOf({ name: before.name, ...storedTemplateSchema.parse(before) });
      const record = { recordType: 'export_template' as const };
      if (stored)
        await requireUnchanged(tx, actor, { ...record, recordId: id! }, { shown, stored, newValues: after });
      if (!before && (await tx.exportTemplate.count()) >= MAX_TEMPLATES)
        throw invalidField('name', createReason('template.tooMany', { count: MAX_TEMPLATES }));
      const saved = before
        ? await tx.exportTemplate.update({ where: { id: before.id }, data: after })
        : await tx.exportTemplate.create({ data: { ...after, userId: actor.id } });
      await writeAudit(tx, actor, {
        action: before ? 'export_template.change' : 'export_template.create',
        ...record,
        recordId: saved.id,
        ...(stored ? { before: stored } : {}),
        after,
      });
      return saved.id;
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw invalidField('name', createReason('template.nameTaken'));
    });
}

/** Deletes a template. @throws ServiceError `not_found` */
export async function removeTemplate(db: Database, actor: Actor, id: number): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    await sql.lockTemplates.runIn(tx);
    const before = await tx.exportTemplate.findUnique({ where: { id } });
    if (!before) throw templateNotFound(id);
    await tx.exportTemplate.delete({ where: { id } });
    await writeAudit(tx, actor, {
      action: 'export_template.remove',
      recordType: 'export_template',
      recordId: id,
      before: settingsOf({ name: before.name, ...storedTemplateSchema.parse(before) }),
    });
  });
}

/** Returns the values that are in both lists; null if there are none. An empty list allows every value. */
function intersectionOf<Value>(first: Value[] = [], second: Value[] = []): Value[] | null {
  if (second.length === 0) return first;
  const both = first.length === 0 ? second : first.filter((value) => second.includes(value));
  return both.length === 0 ? null : both;
}

/** Returns the filter for the orders that meet both filters; null if none can. */
export function narrowFilter(filter: OrderFilter, to: TemplateFilter): OrderFilter | null {
  const shops = intersectionOf(filter.shops, to.shops);
  const statuses = intersectionOf(filter.statuses, to.statuses);
  const countries = intersectionOf(filter.countries, to.countries);
  return shops && statuses && countries ? { ...filter, shops, statuses, countries } : null;
}

/** Returns a template's layout and its filter. @throws ServiceError `not_found` */
export async function readTemplate(
  db: Database,
  template: BuiltInTemplate | number,
): Promise<{ layout: SheetLayout; filter: TemplateFilter }> {
  if (typeof template !== 'number') return { layout: BUILT_IN_LAYOUTS[template], filter: {} };
  const stored = await db.prisma.exportTemplate.findUnique({ where: { id: template } });
  if (!stored) throw templateNotFound(template);
  const { columns, totals, filter } = storedTemplateSchema.parse(stored);
  return { layout: { columns, totals }, filter };
}
