'use client';

import { Button, Group, Skeleton, Text } from '@mantine/core';
import { IconTruck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type MouseEvent, useEffect, useState } from 'react';
import { hasPermission } from '../../../server/identity/roles';
import { OLDEST_FIRST_TABS } from '../../../server/orders/filter/order-tabs';
import { useTRPC } from '../../api/client';
import { onDemand } from '../../api/on-demand';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { ClearFilters } from '../../ui/list/filter/clear-filters';
import { ListPage } from '../../ui/list/list-page';
import { useSidePanel } from '../../ui/list/panel/side-panel';
import { useListPreferences } from '../../ui/list/table/list-preferences-context';
import { useListUrl } from '../../ui/list/use-list-url';
import { useSelectionReset } from '../../ui/list/use-selection-reset';
import { useUrl } from '../../ui/url/use-url';
import {
  OPENED_ORDER_PARAMETER,
  orderCountQuery,
  orderListQuery,
  orderSortOf,
  orderTabsQuery,
  readOpenedOrderId,
} from '../queries';
import { useOrderColumns } from './order-columns';
import { OrderExport } from './order-export';
import { fixedFiltersOf, ORDER_FILTERS, readOrderList } from './order-filter';
import { OrderFilters } from './order-filters';
import { rememberOrderListQuery } from './order-list-query';
import { OrderTabs, useTabName } from './order-tabs';
import { useSelectedOrders } from './selected-orders';

type ListedOrder = RouterOutputs['orders']['list']['orders'][number];

// Loaded on demand, because most visits need neither bulk actions, nor suggestions for a search, nor the side panel.
const BulkActions = onDemand(() => import('./bulk-actions').then((module) => module.BulkActions));
const DidYouMean = onDemand(() => import('./did-you-mean').then((module) => module.DidYouMean));
const OrderPeek = onDemand(() => import('./order-peek').then((module) => module.OrderPeek));

/** The orders list. Without a tab or filters in its URL, it shows the orders to ship, the longest-waiting first. */
export function OrdersPage() {
  const t = useTranslations('orders');
  const trpc = useTRPC();
  const { prefix, user } = useBackOffice();
  const { parameters, hrefOf, goTo } = useUrl();
  const listState = readOrderList(parameters, useListPreferences().rowsPerPage);
  const { tab, filter } = listState;
  const hiddenFilters = fixedFiltersOf(tab);
  const url = useListUrl(
    ORDER_FILTERS.filter((name) => !hiddenFilters.includes(name)),
    { tab },
    hiddenFilters,
  );
  const tabName = useTabName();
  const router = useRouter();
  const panel = useOpenedOrder();
  const [areAllSelected, setAreAllSelected] = useState(false);
  const columns = useOrderColumns(tab);
  const { data, ...query } = useQuery(orderListQuery(trpc, listState));
  const selection = useSelectedOrders(data?.orders);
  const selectOrders = (ids: readonly string[]) => {
    selection.select(ids);
    setAreAllSelected(false);
  };
  useSelectionReset(filter, () => selectOrders([]));
  useEffect(rememberOrderListQuery);
  const { data: limitedCount, ...countQuery } = useQuery(orderCountQuery(trpc, filter));
  const { data: tabCounts } = useQuery(orderTabsQuery(trpc));
  const hasNoOrders = tabCounts?.find((row) => row.tab === 'all')?.count === 0;
  const canWrite = hasPermission(user.role, 'orders.write');
  const canImport = hasPermission(user.role, 'imports.write');
  const showAllOrders = (event: MouseEvent) => {
    event.preventDefault();
    goTo('tab=all');
  };
  return (
    <>
      <ListPage<ListedOrder>
        // The tabs of orders to ship have their own columns.
        id={OLDEST_FIRST_TABS.includes(tab) ? 'orders-to-ship' : 'orders'}
        title={t('title')}
        url={{ ...url, sort: orderSortOf(listState) }}
        actions={
          canWrite && (
            <Button
              component={Link}
              href={`${prefix}/orders/tracking`}
              variant="default"
              leftSection={<IconTruck size={16} stroke={1.75} aria-hidden />}
            >
              {t('pasteTracking')}
            </Button>
          )
        }
        filters={<OrderFilters url={url} hiddenFilters={hiddenFilters} />}
        summary={
          <Group gap="sm">
            <OrderCount isSearching={countQuery.isPlaceholderData} limitedCount={limitedCount} />
            {url.hasFilters && <ClearFilters url={url} size="compact-sm" />}
          </Group>
        }
        tools={<OrderExport filter={filter} />}
        query={{ ...query, data: data && { rows: data.orders, next: data.next } }}
        rowKey={({ id }) => id}
        rowName={({ receipt_id: receiptId }) => receiptId}
        columns={columns}
        openRow={{
          ...panel,
          open: panel.openKey === null ? panel.open : panel.show,
          goToPage: (id) => router.push(`${prefix}/orders/${id}`),
        }}
        selection={
          canWrite
            ? {
                selectedKeys: selection.orders.map(({ id }) => id),
                onChange: selectOrders,
                matchingRows: {
                  count: countQuery.isPlaceholderData ? undefined : limitedCount,
                  areSelected: areAllSelected,
                  onSelect: () => setAreAllSelected(true),
                },
                actions: (ids) => {
                  const selectedFilter = areAllSelected ? filter : { ids: [...ids] };
                  const selectedCount =
                    areAllSelected && limitedCount
                      ? limitedCount.count + Number(limitedCount.more)
                      : ids.length;
                  return (
                    <BulkActions
                      filter={selectedFilter}
                      count={selectedCount}
                      shownOrders={selection.orders}
                      onDone={() => selectOrders([])}
                    />
                  );
                },
              }
            : undefined
        }
        empty={{
          ...(hasNoOrders
            ? {
                title: t('none'),
                hint: canImport && t('noneHint'),
                action: canImport && (
                  <Button component={Link} href={`${prefix}/import`}>
                    {t('importFirst')}
                  </Button>
                ),
              }
            : {
                title: t('nothingHere', { tab: tabName(tab) }),
                hint: t('nothingHereHint'),
                action: (
                  <Button
                    component="a"
                    href={hrefOf({ tab: 'all' })}
                    variant="default"
                    onClick={showAllOrders}
                  >
                    {t('showAll')}
                  </Button>
                ),
              }),
          noMatch: filter.text && (
            <DidYouMean text={filter.text} onChoose={(name) => url.setFilters({ q: name })} />
          ),
        }}
      >
        <OrderTabs tab={tab} />
      </ListPage>
      {panel.openKey !== null && <OrderPeek id={panel.openKey} onClose={panel.close} />}
    </>
  );
}

/** Returns the state of the panel beside the list. Its `openKey` is null if the URL has no valid order id. */
function useOpenedOrder() {
  const panel = useSidePanel(OPENED_ORDER_PARAMETER);
  return { ...panel, openKey: readOpenedOrderId(panel.openKey) };
}

function OrderCount({
  isSearching,
  limitedCount,
}: {
  isSearching: boolean;
  limitedCount: { count: number; more: boolean } | undefined;
}) {
  const t = useTranslations('orders');
  const common = useTranslations('common');
  if (!limitedCount) return <Skeleton width={96} height={24} />;
  return (
    <Text className="figures" role="status">
      {isSearching
        ? common('list.searching')
        : t(limitedCount.more ? 'countMore' : 'count', { count: limitedCount.count })}
    </Text>
  );
}
