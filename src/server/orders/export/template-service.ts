import { requireUnchanged } from '../../audit/edit-conflict-service';
import { type Actor, writeAuditEntry, writeAuditEntryIfChanged } from '../../audit/service';
import { invalidField, notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { SheetFormat } from '../../core/spreadsheet/formats';
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
  format: SheetFormat;
  filter: TemplateFilter;
}

const WITH_OWNER = { include: { user: { select: { name: true } } } } as const;

const templateNotFound = (id: number) => notFound(createReason('answer.noTemplate', { id }));

/** Returns all templates: those that every team has, and the saved ones sorted by name. */
export async function listTemplates(db: Database) {
  const savedTemplates = await db.prisma.exportTemplate.findMany({ orderBy: { name: 'asc' }, ...WITH_OWNER });
  return {
    built_in: BUILT_IN_TEMPLATES.map((id) => ({
      id,
      format: 'xlsx' as const,
      totals: BUILT_IN_LAYOUTS[id].totals,
      columns: [...BUILT_IN_LAYOUTS[id].columns],
    })),
    saved: savedTemplates.map((template) => ({
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
 * @throws ServiceError `validation_failed` if another template has the name or there are too many; `not_found`; `conflict` if it
 * would overwrite settings other than those in `shown`
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
  const newSettings = settingsOf(settings);
  return db.prisma
    .$transaction(async (tx) => {
      await sql.lockTemplates.runIn(tx);
      const existingTemplate =
        id === undefined ? null : await tx.exportTemplate.findUnique({ where: { id } });
      if (id !== undefined && !existingTemplate) throw templateNotFound(id);
      const storedSettings =
        existingTemplate &&
        settingsOf({ name: existingTemplate.name, ...storedTemplateSchema.parse(existingTemplate) });
      const recordType = 'export_template';
      if (storedSettings)
        await requireUnchanged(
          tx,
          actor,
          { recordType, recordId: id! },
          { shown, stored: storedSettings, newValues: newSettings },
        );
      if (!existingTemplate && (await tx.exportTemplate.count()) >= MAX_TEMPLATES)
        throw invalidField('name', createReason('template.tooMany', { count: MAX_TEMPLATES }));
      const savedTemplate = existingTemplate
        ? await tx.exportTemplate.update({ where: { id: existingTemplate.id }, data: newSettings })
        : await tx.exportTemplate.create({ data: { ...newSettings, userId: actor.id } });
      const entry = { recordType, recordId: savedTemplate.id, after: newSettings } as const;
      if (storedSettings)
        await writeAuditEntryIfChanged(tx, actor, {
          action: 'export_template.change',
          ...entry,
          before: storedSettings,
        });
      else await writeAuditEntry(tx, actor, { action: 'export_template.create', ...entry });
      return savedTemplate.id;
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
    const template = await tx.exportTemplate.findUnique({ where: { id } });
    if (!template) throw templateNotFound(id);
    await tx.exportTemplate.delete({ where: { id } });
    await writeAuditEntry(tx, actor, {
      action: 'export_template.remove',
      recordType: 'export_template',
      recordId: id,
      before: settingsOf({ name: template.name, ...storedTemplateSchema.parse(template) }),
    });
  });
}

/** Returns the values that are in both lists; null if there are none. An empty list allows every value. */
function intersectionOf<Value>(first: Value[] = [], second: Value[] = []): Value[] | null {
  if (second.length === 0) return first;
  const commonValues = first.length === 0 ? second : first.filter((value) => second.includes(value));
  return commonValues.length === 0 ? null : commonValues;
}

/** Returns the filter for the orders that meet both filters; null if none can. */
export function narrowFilter(filter: OrderFilter, templateFilter: TemplateFilter): OrderFilter | null {
  const shops = intersectionOf(filter.shops, templateFilter.shops);
  const statuses = intersectionOf(filter.statuses, templateFilter.statuses);
  const countries = intersectionOf(filter.countries, templateFilter.countries);
  return shops && statuses && countries ? { ...filter, shops, statuses, countries } : null;
}

/** Returns a template's layout and its filter. @throws ServiceError `not_found` */
export async function readTemplate(
  db: Database,
  templateId: BuiltInTemplate | number,
): Promise<{ layout: SheetLayout; filter: TemplateFilter }> {
  if (typeof templateId !== 'number') return { layout: BUILT_IN_LAYOUTS[templateId], filter: {} };
  const storedTemplate = await db.prisma.exportTemplate.findUnique({ where: { id: templateId } });
  if (!storedTemplate) throw templateNotFound(templateId);
  const { columns, totals, filter } = storedTemplateSchema.parse(storedTemplate);
  return { layout: { columns, totals }, filter };
}
