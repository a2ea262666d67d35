import en from '../../../../messages/en/statistics.json';
import zh from '../../../../messages/zh/statistics.json';
import type { Locale } from '../../core/locales';
import type { NamedColumn } from '../../core/spreadsheet/sheet-file';
import { LISTING_FIELDS, SHOP_FIELDS, type StatisticFieldKind } from '../fields';

const TEXTS = { en: { ...en, currency: 'Currency' }, zh: { ...zh, currency: '币种' } } satisfies Record<
  Locale,
  object
>;

type ShopField = keyof typeof SHOP_FIELDS;
type ListingField = keyof typeof LISTING_FIELDS;

/** The fields that pages show under the name of another field. */
const LABEL_FIELD_BY_FIELD = {
  impression_count: 'ad_impressions',
  click_count: 'ad_clicks',
  spent_total: 'ad_spend',
  conversions: 'ad_orders',
  click_rate: 'ad_click_rate',
} as const satisfies Partial<Record<ListingField, ShopField>>;

const FIELDS = { ...LISTING_FIELDS, ...SHOP_FIELDS };
const FORMAT_BY_KIND: Readonly<Record<StatisticFieldKind, NamedColumn['format']>> = {
  count: 'whole',
  amount: 'amount',
  rate: 'rate',
  ratio: 'ratio',
};

/** A column of the tables on the statistics pages; `currency` is only in files that have amounts. */
export type TableColumn =
  | ShopField
  | ListingField
  | 'date'
  | 'shop'
  | 'title'
  | 'id'
  | 'profit'
  | 'updated'
  | 'currency';

const isField = (name: string): name is ShopField | ListingField => name in FIELDS;

/** Returns the columns of a file: those that the page shows, and the currency if any of them is an amount. */
export function withCurrency(pageColumns: readonly TableColumn[]): TableColumn[] {
  const hasAmount = pageColumns.some(
    (name) => name === 'profit' || (isField(name) && FIELDS[name][0] === 'amount'),
  );
  return hasAmount ? [...pageColumns, 'currency'] : [...pageColumns];
}

/** Returns a column's header, the same as on the page, with its format and width in a file. */
export function columnOf(
  name: TableColumn,
  { language, zone }: { language: Locale; zone: string },
): NamedColumn {
  const texts = TEXTS[language];
  if (isField(name)) {
    const labelField =
      name in LABEL_FIELD_BY_FIELD ? LABEL_FIELD_BY_FIELD[name as keyof typeof LABEL_FIELD_BY_FIELD] : name;
    return {
      header: texts.fields[labelField as keyof typeof texts.fields],
      format: FORMAT_BY_KIND[FIELDS[name][0]],
      width: 14,
    };
  }
  const columnByName: Record<typeof name, NamedColumn> = {
    date: { header: texts.day, format: 'day', width: 12 },
    shop: { header: texts.shop, format: 'text', width: 22 },
    title: { header: texts.listing, format: 'lines', width: 44 },
    id: { header: texts.listingId, format: 'text', width: 14 },
    profit: { header: texts.profit, format: 'amount', width: 16 },
    updated: { header: `${texts.updated} (${zone})`, format: 'time', width: 18 },
    currency: { header: texts.currency, format: 'text', width: 10 },
  };
  return columnByName[name];
}

/** Returns what the page calls a listing without a known title. */
export const untitledListingTitle = (id: string, language: Locale): string =>
  TEXTS[language].listings.untitled.replace('{id}', id);

/** Returns the name of a workbook's sheet. */
export const sheetName = (kind: 'shop' | 'listing' | 'listings', language: Locale): string =>
  kind === 'listings' ? TEXTS[language].listings.back : TEXTS[language].kinds[kind];
