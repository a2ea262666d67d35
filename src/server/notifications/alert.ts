import { type Alert, MAX_LISTED_ENTRIES } from './kind';
import { KEYS_PATH, type Line, type Message } from './message';
import { FAILED_IMPORTS_PATH, type Reader, withShopFilter } from './summary';
import { textsIn } from './texts';

interface AlertPage {
  path: string;
  /** Whether the page can be filtered by the ids of the reader's shops. */
  hasShopFilter: boolean;
}

/** For each kind of alert, the page that lists everything it covers. */
const PAGES: Record<Alert, AlertPage> = {
  late: { path: '/queues/late', hasShopFilter: true },
  exception: { path: '/queues/exception', hasShopFilter: true },
  delivery_failed: { path: '/queues/delivery_failed', hasShopFilter: true },
  not_scanned: { path: '/queues/not_scanned', hasShopFilter: true },
  statistics_missing: { path: '/statistics/missing', hasShopFilter: false },
  import_failed: { path: FAILED_IMPORTS_PATH, hasShopFilter: true },
  key_expiring: { path: KEYS_PATH, hasShopFilter: false },
};

/** Returns an alert about `count` entries, listing the first few. */
export function buildAlertMessage(
  reader: Reader,
  kind: Alert,
  count: number,
  listedLines: readonly Line[],
): Message {
  const texts = textsIn(reader.locale);
  const { title, intro, linkText } = texts.alert[kind];
  const { path, hasShopFilter } = PAGES[kind];
  const unlistedCount = count - listedLines.length;
  return {
    title: title(count),
    intro,
    lines: [
      ...listedLines.slice(0, MAX_LISTED_ENTRIES),
      ...(unlistedCount > 0 ? [{ text: texts.moreEntries(unlistedCount), path: null }] : []),
      {
        text: linkText,
        path: hasShopFilter ? withShopFilter(path, reader.shops) : path,
      },
    ],
  };
}
