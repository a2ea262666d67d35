import { type Alert, MAX_LISTED_ENTRIES } from './kind';
import type { Line, Message } from './message';
import { FAILED_IMPORTS_PATH, type Reader, withShopFilter } from './summary';
import { textsIn } from './texts';

/** For each kind of alert, the path of the page that lists everything it covers. */
const PAGE_PATHS: Record<Alert, string> = {
  late: '/queues/late',
  exception: '/queues/exception',
  delivery_failed: '/queues/delivery_failed',
  not_scanned: '/queues/not_scanned',
  statistics_missing: '/statistics/missing',
  import_failed: FAILED_IMPORTS_PATH,
  key_expiring: '/keys',
};

/** The alerts whose pages can be filtered by the ids of the reader's shops. */
const SHOP_FILTERED_ALERTS: readonly Alert[] = [
  'late',
  'exception',
  'delivery_failed',
  'not_scanned',
  'import_failed',
];

/** Returns an alert about `count` entries, listing the first few. */
export function buildAlertMessage(
  reader: Reader,
  kind: Alert,
  count: number,
  listedLines: readonly Line[],
): Message {
  const texts = textsIn(reader.locale);
  const { title, intro, linkText } = texts.alert[kind];
  const restCount = count - listedLines.length;
  return {
    title: title(count),
    intro,
    lines: [
      ...listedLines.slice(0, MAX_LISTED_ENTRIES),
      ...(restCount > 0 ? [{ text: texts.moreEntries(restCount), path: null }] : []),
      {
        text: linkText,
        path: SHOP_FILTERED_ALERTS.includes(kind)
          ? withShopFilter(PAGE_PATHS[kind], reader.shops)
          : PAGE_PATHS[kind],
      },
    ],
  };
}
