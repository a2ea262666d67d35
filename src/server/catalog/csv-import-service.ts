import type { Actor } from '../audit/service';
import { withCsvText } from '../core/text/table';
import type { Database } from '../db/client';
import { importProducts, previewProducts } from './import-service';

/**
 * Imports products from CSV text, all or nothing (see importProducts).
 *
 * @throws ServiceError `validation_failed` naming the lines and columns of the problems
 */
export function importProductsCsv(db: Database, actor: Actor, csv: string) {
  return withCsvText(csv, (sheet) => importProducts(db, actor, sheet));
}

/** Returns what {@link importProductsCsv} would change now. */
export function previewProductsCsv(db: Database, csv: string) {
  return withCsvText(csv, (sheet) => previewProducts(db, sheet));
}
