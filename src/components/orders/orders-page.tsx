'use client';

import { Button, Group, Skeleton, Text } from '@mantine/core';
import { IconTruck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { mayDo } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { useDesk } from '../shell/desk';
import type { AddressState } from '../ui/list/list-address';
import { ListPage } from '../ui/list/list-page';
import { SavedViews } from '../ui/list/saved-views';
import { useListAddress } from '../ui/list/use-list-address';
import { DidYouMean } from './did-you-mean';
import { useOrderColumns } from './order-columns';
import { OrderExport } from './order-export';
import { ORDER_FILTERS, type OrderFilterName, readOrderFilter } from './order-filter';
import { OrderFilters } from './order-filters';
import { rememberOrderList } from './order-list-search';
import { orderCountQuery, orderListQuery } from './queries';
import { SetStatus } from './set-status';

type ListedOrder = RouterOutputs['orders']['list']['orders'][number];

/** All orders, newest first. */
export function OrdersPage() {
  const t = useTranslations('orders');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const { prefix, person } = useDesk();
  const address = useListAddress(ORDER_FILTERS);
  const filter = readOrderFilter(address.filters);
  const said = JSON.stringify(filter);
  const [selected, setSelected] = useState<readonly string[]>([]);
  // What no longer shows must not be changed unseen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection goes with the filter
  useEffect(() => setSelected([]), [said]);
  useEffect(rememberOrderList);
  const columns = useOrderColumns();
  const { data, ...query } = useQuery(orderListQuery(trpc, address));
  const mayWrite = mayDo(person.role, 'orders.write');
  return (
    <ListPage<ListedOrder>
      id="orders"
      title={t('title')}
      // Newest first is the default order, and its column shows that.
      address={{ ...address, sort: address.sort ?? { by: 'sold', descending: true } }}
      actions={
        mayWrite && (
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
      filters={<OrderFilters address={address} />}
      summary={
        <Group gap="sm">
          <OrderCount filters={address.filters} />
          {address.hasFilters && (
            <Button variant="subtle" size="compact-sm" onClick={address.clearFilters}>
              {common('list.clearAll')}
            </Button>
          )}
        </Group>
      }
      tools={
        <>
          <SavedViews list="orders" />
          <OrderExport filter={filter} />
        </>
      }
      query={{ ...query, data: data && { rows: data.orders, next: data.next } }}
      rowKey={({ id }) => id}
      rowName={({ receipt_id: receipt }) => receipt}
      columns={columns}
      selection={
        mayWrite
          ? {
              selected,
              onChange: setSelected,
              actions: (ids) => <SetStatus ids={ids} onDone={() => setSelected([])} />,
            }
          : undefined
      }
      empty={{
        title: t('none'),
        hint: t('noneHint'),
        action: mayDo(person.role, 'imports.write') && (
          <Button component={Link} href={`${prefix}/import`}>
            {t('importFirst')}
          </Button>
        ),
        noMatch: filter.text && (
          <DidYouMean text={filter.text} onChoose={(name) => address.setFilters({ q: name })} />
        ),
      }}
    />
  );
}

function OrderCount({ filters }: Pick<AddressState<OrderFilterName>, 'filters'>) {
  const t = useTranslations('orders');
  const trpc = useTRPC();
  const { data } = useQuery(orderCountQuery(trpc, { filters }));
  return data ? (
    <Text className="figures" role="status">
      {t(data.more ? 'countMore' : 'count', { count: data.count })}
    </Text>
  ) : (
    <Skeleton width={96} height={24} />
  );
}
