import { z } from 'zod';
import { withReason } from '../../core/errors/validation';
import { instantSchema, nameSchema, requiredText, shownFields } from '../../core/fields';
import { isIntegerIdText } from '../../core/id-text';
import { idSchema, recordIdSchema } from '../../core/ids';
import { jsonText, singleValue } from '../../core/lists/download-query';
import { LOCALES } from '../../core/locales';
import { SHEET_FORMATS } from '../../core/spreadsheet/formats';
import { MAX_IDS } from '../filter/bounds';
import { orderFilterSchema } from '../filter/schema';
import { EXPORT_COLUMN_NAMES } from './columns';
import { BUILT_IN_TEMPLATES } from './template-names';

const MAX_COLUMNS = 100;

const templateId = idSchema('type.idTemplate');
const formatSchema = z.enum(SHEET_FORMATS);

const columnsSchema = z
  .array(
    z.strictObject({
      column: z.enum(EXPORT_COLUMN_NAMES),
      /** Replaces the column's name. */
      header: requiredText(100).optional(),
    }),
  )
  .min(1, withReason('template.noColumns'))
  .max(MAX_COLUMNS);

/** Limits a template to certain orders, with filters that mean the same every day. */
const templateFilterSchema = orderFilterSchema.pick({ shops: true, statuses: true, countries: true });

export type TemplateFilter = z.output<typeof templateFilterSchema>;

const layoutFields = { format: formatSchema, totals: z.boolean(), columns: columnsSchema };

/** The settings of a template as they are stored, except its name. */
export const storedTemplateSchema = z.object({ ...layoutFields, filter: templateFilterSchema });

export const templateInput = z.strictObject({ id: templateId });

const savedTemplate = z.object({
  id: templateId,
  name: z.string(),
  ...layoutFields,
  filter: templateFilterSchema,
  /** The name of the user who created it. */
  owner: z.string().nullable(),
  updated_at: instantSchema,
});

export const saveTemplateInput = z.strictObject({
  /** The template to change; without it, a new one is created. */
  id: templateId.optional(),
  name: nameSchema,
  ...layoutFields,
  filter: templateFilterSchema.default({}),
  shown: shownFields(
    savedTemplate.pick({ name: true, format: true, totals: true, columns: true, filter: true }),
  ),
});

export const saveTemplateOutput = z.object({ id: templateId });

export const templatesOutput = z.object({
  /** The built-in templates, which every team has. */
  built_in: z.array(z.object({ id: z.string(), ...layoutFields })),
  saved: z.array(savedTemplate),
});

/** Every column that a template may have, with its name in each language. */
export const templateColumnsOutput = z.array(
  z.object({
    column: z.enum(EXPORT_COLUMN_NAMES),
    scope: z.enum(['order', 'item']),
    en: z.string(),
    zh: z.string(),
  }),
);

/** Order ids in a URL, such as `1.2.3`, which is much shorter than URL-encoded JSON. */
const idList = z
  .string()
  .transform((text) => text.split('.'))
  .pipe(z.array(recordIdSchema('type.idOrder')).max(MAX_IDS));

const TEMPLATE_NAMES = ['raw', ...BUILT_IN_TEMPLATES] as const;
const isTemplateName = (text: string): text is (typeof TEMPLATE_NAMES)[number] =>
  TEMPLATE_NAMES.some((name) => name === text);

/** `raw`, the name of a built-in template, or the id of a saved one. */
const templateSchema = z
  .string()
  .refine((text) => isTemplateName(text) || isIntegerIdText(text), withReason('type.idTemplate'))
  .transform((text) => (isTemplateName(text) ? text : Number(text)));

/**
 * The query of an order download; each parameter is a list of its values. Without a template, the file has every field under its
 * name in the API.
 */
export const ordersDownloadQuery = z
  .strictObject({
    format: singleValue(formatSchema),
    filter: singleValue(jsonText.pipe(orderFilterSchema)).optional(),
    /** Replaces the filter's `ids`. */
    ids: singleValue(idList).optional(),
    template: singleValue(templateSchema).default('raw'),
    language: singleValue(z.enum(LOCALES)).default('en'),
  })
  .transform(({ ids, filter = {}, ...query }) => ({ ...query, filter: ids ? { ...filter, ids } : filter }));
