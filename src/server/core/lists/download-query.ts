import { z } from 'zod';
import { createReason } from '../errors/reason';
import { createIssue, withReason } from '../errors/validation';
import { timeZoneSchema } from '../fields';
import { LOCALES } from '../locales';
import { SHEET_FORMATS } from '../spreadsheet/formats';

/** A download's query parameter that must not be repeated. The parser passes each parameter as a list of its values. */
export const singleValue = <Schema extends z.ZodType>(schema: Schema) =>
  z.tuple([schema], withReason('input.once')).transform(([value]) => value as z.output<Schema>);

/** JSON text in the URL of a page or a download, parsed. */
export const jsonText = z
  .string()
  .max(20_000)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue(createIssue(createReason('type.filter')));
      return z.NEVER;
    }
  });

/**
 * The query of a table's download.
 *
 * @param input the schema of the page's own query for the table's rows, so that the file has the same rows in the same order
 * @param columns the names of the columns that the table can show
 */
export const tableQuery = <Input extends z.ZodType, const Name extends string>(
  input: Input,
  columns: readonly [Name, ...Name[]],
) =>
  z.strictObject({
    format: singleValue(z.enum(SHEET_FORMATS)),
    language: singleValue(z.enum(LOCALES)).default('en'),
    /** The time zone in which instants are written. */
    zone: singleValue(timeZoneSchema).default('UTC'),
    /** The columns from left to right; all of them by default. */
    column: z
      .array(z.enum(columns))
      .min(1)
      .max(columns.length)
      .default([...columns]),
    input: singleValue(jsonText.pipe(input)),
  });
