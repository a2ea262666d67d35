import { LANGUAGE_TAGS, type Locale } from '../core/locales';
import { firstRecentDay } from '../overview/recent-imports';
import { QUEUES } from '../queues/queue';
import { KEYS_PATH, type Message } from './message';
import { namedShops, textsIn } from './texts';

/** The figures of a summary. */
export interface SummaryFigures {
  queueCounts: Record<(typeof QUEUES)[number], number>;
  failedImportCount: number;
  importsWithWarningsCount: number;
  /** `day` is the one without statistics, as YYYY-MM-DD. */
  shopsWithoutStatistics: readonly { name: string; shop_id: string; day: string }[];
  expiringKeys: readonly { name: string; expires_at: Date }[];
}

/** The person or group that reads a channel's messages. */
export interface Reader {
  locale: Locale;
  timeZone: string;
  /** The shops chosen for the channel. Empty for all. */
  shops: readonly { id: number; name: string }[];
}

/** The maximum number of figures in the title of a summary. */
const MAX_TITLE_FIGURES = 3;

/** The queues in the order in which the title names them, most urgent first. */
const QUEUES_BY_URGENCY = [
  'late',
  'exception',
  'delivery_failed',
  'to_review',
  'not_scanned',
  'to_ship',
  'unmatched',
] as const;

/** The path of the import history, filtered by the outcomes of imports that stored nothing. */
export const FAILED_IMPORTS_PATH = '/imports?outcome=rejected,failed';

/** The maximum number of shops in a link. With more, the address could be longer than a chat's whole message. */
const MAX_LINKED_SHOPS = 20;

/** Adds a filter by the reader's shops to a list's path, unless there are too many: then the page shows all shops. */
export function withShopFilter(path: string, shops: Reader['shops']): string {
  if (shops.length === 0 || shops.length > MAX_LINKED_SHOPS) return path;
  return `${path}${path.includes('?') ? '&' : '?'}shop=${shops.map(({ id }) => id).join(',')}`;
}

/** Formats a day, given as YYYY-MM-DD, in the reader's language. */
export const formatDate = ({ locale }: Reader, day: string, style: 'long' | 'short' = 'short') =>
  formatDay({ locale, timeZone: 'UTC' }, new Date(day), style);

/** Formats the day of an instant in the reader's language and time zone. */
export function formatDay(
  { locale, timeZone }: Pick<Reader, 'locale' | 'timeZone'>,
  instant: Date,
  style: 'long' | 'short' = 'short',
): string {
  return new Intl.DateTimeFormat(LANGUAGE_TAGS[locale], {
    timeZone,
    day: 'numeric',
    month: 'long',
    ...(style === 'long' ? { weekday: 'long' } : {}),
  }).format(instant);
}

/** Lists the names of shops in the reader's language, the first few of them if there are many. */
function listShops({ locale }: Reader, shops: readonly { name: string }[]): string {
  const { names, otherCount } = namedShops(shops.map(({ name }) => name));
  const parts = otherCount > 0 ? [...names, textsIn(locale).moreShops(otherCount)] : names;
  return new Intl.ListFormat(LANGUAGE_TAGS[locale]).format(parts);
}

/** Returns whether nothing needs attention. */
export const isQuiet = ({
  queueCounts,
  failedImportCount,
  importsWithWarningsCount,
  shopsWithoutStatistics,
  expiringKeys,
}: SummaryFigures) =>
  Object.values(queueCounts).every((count) => count === 0) &&
  failedImportCount + importsWithWarningsCount + shopsWithoutStatistics.length + expiringKeys.length === 0;

/**
 * Returns the daily summary. Figures that are zero are left out.
 *
 * @param day the summary's, as YYYY-MM-DD in the reader's time zone; the figures are those of `now`, which may be after midnight
 */
export function buildSummaryMessage(
  reader: Reader,
  figures: SummaryFigures,
  { day, now }: { day: string; now: Date },
): Message {
  const texts = textsIn(reader.locale);
  const dayText = formatDate(reader, day, 'long');
  if (isQuiet(figures)) return { title: texts.summary(dayText, []), intro: texts.nothingToReport, lines: [] };
  const { queueCounts, failedImportCount, importsWithWarningsCount, shopsWithoutStatistics, expiringKeys } =
    figures;
  const firstImportDay = firstRecentDay(now.getTime(), reader.timeZone).toISODate();
  const filterByShops = (path: string) => withShopFilter(path, reader.shops);
  const lines = [
    ...QUEUES.map((queue) => ({
      isShown: queueCounts[queue] > 0,
      text: texts.queue[queue](queueCounts[queue]),
      path: filterByShops(`/queues/${queue}`),
    })),
    {
      isShown: failedImportCount > 0,
      text: texts.failedImports(failedImportCount),
      path: filterByShops(`${FAILED_IMPORTS_PATH}&from=${firstImportDay}`),
    },
    {
      isShown: importsWithWarningsCount > 0,
      text: texts.importsWithWarnings(importsWithWarningsCount),
      path: filterByShops(`/imports?outcome=succeeded&warnings=yes&from=${firstImportDay}`),
    },
    // In different time zones, different days were the last ones.
    ...[...new Set(shopsWithoutStatistics.map((shop) => shop.day))].sort().map((missingDay) => {
      const shops = shopsWithoutStatistics.filter((shop) => shop.day === missingDay);
      return {
        isShown: true,
        text: texts.missingStatistics(formatDate(reader, missingDay), listShops(reader, shops)),
        path:
          shops.length > MAX_LINKED_SHOPS
            ? '/statistics/missing'
            : `/statistics/missing?shop=${shops.map(({ shop_id: id }) => encodeURIComponent(id)).join(',')}`,
      };
    }),
    ...expiringKeys.map(({ name, expires_at: expiresAt }) => ({
      isShown: true,
      text: texts.expiringKey(name, formatDay(reader, expiresAt)),
      path: KEYS_PATH,
    })),
  ];
  const shownLines = lines.flatMap(({ isShown, text, path }) => (isShown ? [{ text, path }] : []));
  const parts = QUEUES_BY_URGENCY.filter((queue) => queueCounts[queue] > 0)
    .slice(0, MAX_TITLE_FIGURES)
    .map((queue) => texts.titleFigure[queue](queueCounts[queue]));
  return {
    title: texts.summary(dayText, parts.length > 0 ? parts : shownLines.slice(0, 1).map(({ text }) => text)),
    intro: texts.scope(reader.shops.map(({ name }) => name)),
    lines: shownLines,
  };
}
