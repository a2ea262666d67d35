'use client';

import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { openSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import {
  IconBrightness,
  IconBuildingStore,
  IconLanguage,
  IconReceipt,
  IconRefresh,
  IconSearch,
  IconShieldLock,
  IconTruck,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { LOCALE_NAMES, LOCALES } from '../../i18n/locale';
import { hasPermission } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import { LIST_QUERY, SHOWS_OWN_ERROR } from '../api/page-queries';
import { useBackOffice } from './back-office';
import { changeLanguage } from './menus/language-menu';
import { PAGE_NAMES } from './navigation/navigation';
import { useNavigationEntries } from './navigation/side-navigation';
import { useOpenPastedOrder } from './open-pasted-order';

const DEBOUNCE_MS = 200;
/** The minimum length of a search for orders: shorter ones have too many results to be useful. */
const MIN_SEARCH_LENGTH = 3;
const MAX_ORDERS = 5;

/**
 * Finds pages, actions and shops by name, and the newest orders that match the input, with a link to all of them. Pasting an order
 * number or a tracking number opens its order. Loaded on first use; opens whenever `openCount` increases.
 */
export function CommandPalette({ openCount }: { openCount: number }) {
  const t = useTranslations('shell');
  const router = useRouter();
  const { prefix } = useBackOffice();
  const entries = useNavigationEntries();
  const [input, setInput] = useState('');
  const text = input.trim();
  const results = useSearchResults(text);
  useEffect(() => {
    if (openCount > 0) openSpotlight();
  }, [openCount]);
  const openSearch = useOpenSearch();
  const openPastedOrder = useOpenPastedOrder();
  const globalActions = useGlobalActions();
  const pageActions = entries.flatMap(
    ({
      id: entryId,
      path: entryPath,
      icon: PageIcon,
      pages = [{ id: entryId, path: entryPath }],
    }): SpotlightActionData[] =>
      pages.map(({ id, path }) => ({
        id,
        // "Shipments" rather than "Shipments · Shipments".
        label: [...new Set([t(PAGE_NAMES[entryId]), t(PAGE_NAMES[id])])].join(' · '),
        leftSection: <PageIcon size={18} stroke={1.75} />,
        onClick: () => router.push(prefix + path),
      })),
  );
  const accountAction: SpotlightActionData = {
    id: 'account',
    label: t('account'),
    leftSection: <IconShieldLock size={18} stroke={1.75} />,
    onClick: () => router.push(`${prefix}/account`),
  };
  const orderSearchAction: SpotlightActionData = {
    id: 'orders-search',
    label: t('palette.searchOrders', { text }),
    leftSection: <IconReceipt size={18} stroke={1.75} />,
    onClick: () => void openSearch(text),
  };
  return (
    <Spotlight
      query={input}
      onQueryChange={setInput}
      shortcut={null}
      centered={false}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      attributes={{ content: { 'aria-label': t('palette.open') } }}
      actions={[
        ...pageActions,
        accountAction,
        ...globalActions,
        ...results,
        ...(text === '' ? [] : [orderSearchAction]),
      ]}
      nothingFound={t('palette.nothing')}
      highlightQuery
      scrollable
      maxHeight={400}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.75} />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.placeholder'),
        onPaste: openPastedOrder,
      }}
    />
  );
}

/** Returns a function that searches for orders and opens the only match, or the list of matches. */
function useOpenSearch(): (text: string) => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { prefix } = useBackOffice();
  return async (text) => {
    const query = trpc.orders.list.queryOptions({ filter: { text }, limit: 2 }, SHOWS_OWN_ERROR);
    // If the search fails, the list shows why.
    const result = await queryClient.fetchQuery(query).catch(() => null);
    const onlyMatch = result?.orders.length === 1 ? result.orders[0] : undefined;
    router.push(
      onlyMatch ? `${prefix}/orders/${onlyMatch.id}` : `${prefix}/orders?${new URLSearchParams({ q: text })}`,
    );
  };
}

/** Returns the actions that are available on every page, if the role allows them. */
function useGlobalActions(): SpotlightActionData[] {
  const t = useTranslations('shell');
  const router = useRouter();
  const { prefix, user } = useBackOffice();
  const { setColorScheme } = useMantineColorScheme();
  const currentLocale = useLocale();
  const isDark = useComputedColorScheme() === 'dark';
  const pasteAction: SpotlightActionData = {
    id: 'paste-tracking',
    label: t('palette.pasteTracking'),
    leftSection: <IconTruck size={18} stroke={1.75} />,
    onClick: () => router.push(`${prefix}/orders/tracking`),
  };
  return [
    ...(hasPermission(user.role, 'orders.write') ? [pasteAction] : []),
    {
      id: 'scheme',
      label: t(isDark ? 'palette.light' : 'palette.dark'),
      leftSection: <IconBrightness size={18} stroke={1.75} />,
      onClick: () => setColorScheme(isDark ? 'light' : 'dark'),
    },
    ...LOCALES.filter((locale) => locale !== currentLocale).map((locale) => ({
      id: `language-${locale}`,
      label: LOCALE_NAMES[locale],
      leftSection: <IconLanguage size={18} stroke={1.75} />,
      onClick: () => changeLanguage(locale, user.email),
    })),
  ];
}

/**
 * Returns the orders that match the input, and all shops, which the palette filters; nothing for an empty input. If the search
 * fails, an entry says so; choosing it repeats the search.
 */
function useSearchResults(input: string): SpotlightActionData[] {
  const t = useTranslations('shell');
  const trpc = useTRPC();
  const router = useRouter();
  const { prefix } = useBackOffice();
  const [debouncedInput] = useDebouncedValue(input, DEBOUNCE_MS);
  const enabled = debouncedInput.length >= MIN_SEARCH_LENGTH;
  const { data: shops = [] } = useQuery(
    trpc.shops.names.queryOptions(undefined, { enabled: input !== '', ...SHOWS_OWN_ERROR }),
  );
  const { data, isError, refetch } = useQuery(
    trpc.orders.list.queryOptions(
      { filter: { text: debouncedInput }, limit: MAX_ORDERS },
      { enabled, ...LIST_QUERY },
    ),
  );
  if (input === '') return [];
  return [
    ...shops.map(({ id, name }) => ({
      id: `shop-${id}`,
      label: name,
      leftSection: <IconBuildingStore size={18} stroke={1.75} />,
      onClick: () => router.push(`${prefix}/orders?shop=${id}`),
    })),
    ...(enabled && data ? data.orders : []).map((order) => ({
      id: `order-${order.id}`,
      label: order.receipt_id,
      description: [order.name ?? order.buyer, order.title, order.shop].filter(Boolean).join(' · '),
      // The palette filters by keyword, but the order may have matched on a field that is not shown.
      keywords: [input],
      leftSection: <IconReceipt size={18} stroke={1.75} />,
      onClick: () => router.push(`${prefix}/orders/${order.id}`),
    })),
    ...(enabled && isError
      ? [
          {
            id: 'orders-failed',
            label: t('palette.failed'),
            keywords: [input],
            leftSection: <IconRefresh size={18} stroke={1.75} />,
            closeSpotlightOnTrigger: false,
            onClick: () => void refetch(),
          },
        ]
      : []),
  ];
}
