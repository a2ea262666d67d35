import type { z } from 'zod';
import commonEn from '../../../messages/en/common.json';
import en from '../../../messages/en/overview.json';
import commonZh from '../../../messages/zh/common.json';
import zh from '../../../messages/zh/overview.json';
import { createCountryNamer } from '../../i18n/country-names';
import { LANGUAGE_TAGS } from '../../i18n/locale';
import { type NamedColumn, openSheetFile } from '../core/spreadsheet/sheet-file';
import type { Database } from '../db/client';
import { readDeliveries } from './deliveries-service';
import type { COUNTRY_COLUMNS, countriesTableQuery } from './schema';

const TEXTS = { en, zh };
const COMMON_TEXTS = { en: commonEn, zh: commonZh };
/** The unit of delivery times. */
const DAYS_UNIT = { en: 'days', zh: '天' };

/** Converts a change to a percentage with at most four decimals: 0.125 becomes 12.5. */
const toPercent = (change: number | null | undefined) =>
  change == null ? null : String(Number((change * 100).toFixed(4)));

/** Writes the overview's table of countries: their orders and delivery times, each with its change. */
export async function exportCountries(
  { db, now }: { db: Database; now: () => number },
  { format, language, column, input }: z.output<typeof countriesTableQuery>,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const texts = TEXTS[language];
  const nameOf = createCountryNamer(LANGUAGE_TAGS[language], COMMON_TEXTS[language].formerCountries);
  const columnByName: Record<(typeof COUNTRY_COLUMNS)[number], NamedColumn> = {
    country: { header: texts.countries.country, format: 'text', width: 24 },
    orders: { header: texts.figures.orders, format: 'whole', width: 12 },
    change: { header: texts.change, format: 'rate', width: 12 },
    time: { header: `${texts.figures.deliveryTime} (${DAYS_UNIT[language]})`, format: 'number', width: 20 },
    time_change: { header: texts.countries.timeChange, format: 'rate', width: 16 },
    deliveries: { header: texts.countries.deliveries, format: 'whole', width: 12 },
  };
  const { countries } = await readDeliveries(db, input, now());
  const columns = column.map((name) => columnByName[name]);
  const file = await openSheetFile({ format, name: texts.countries.title, columns }, write);
  const rows = countries.map(({ country, orders, time, deliveries }) => {
    const cells = {
      country: nameOf(country, country),
      orders: String(orders.value),
      change: toPercent(orders.change),
      time: time && String(time.value),
      time_change: toPercent(time?.change),
      deliveries: String(deliveries),
    };
    return column.map((name) => cells[name]);
  });
  await file.writeRows(rows);
  await file.end();
}
